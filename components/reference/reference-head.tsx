import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Time } from "@/components/ui/values/time";
import { referenceHref } from "@/presentation/filters/references";
import type { ReferenceTotal, ReferenceView } from "@/presentation/views/references";
import styles from "./reference.module.css";

/** Customers of one reference that are offered; more are a number. */
const CUSTOMERS = 8;

export function ReferenceHead({ view }: { readonly view: ReferenceView }) {
  const { reference, customer, customers, lede, totals, verdict, at } = view;
  const several = customers.length > 1;
  return (
    <PageHead
      crumb={
        <>
          <Link href="/references">References</Link> ·{" "}
          <span className={styles["reference"]} title={reference}>
            {reference}
          </span>
        </>
      }
      crumbRight={
        <>
          read <Time at={at} now={at} form="clock" /> from keys, provider journal, inbox and ledger
        </>
      }
      verdict={verdict.clauses}
      lede={
        <>
          {lede.join(" ")}
          {customer !== undefined && (
            <>
              {" "}
              Only keys of customer <b>{customer}</b>. <Link href={referenceHref(reference)}>All customers</Link>
            </>
          )}
          {several && (
            <>
              {" "}
              Choose a customer:{" "}
              {customers.slice(0, CUSTOMERS).map((each, index) => (
                <span key={each}>
                  {index > 0 && ", "}
                  <Link href={referenceHref(reference, each)}>{each}</Link>
                </span>
              ))}
              {customers.length > CUSTOMERS && ` and ${String(customers.length - CUSTOMERS)} more`}.
            </>
          )}
        </>
      }
      aside={totals.length === 0 ? undefined : <Totals totals={totals} />}
    />
  );
}

function Totals({ totals }: { readonly totals: readonly ReferenceTotal[] }) {
  return (
    <div className={styles["totals"]}>
      {totals.map(({ charged, returned, stays, doubt }) => (
        <div key={stays.currency}>
          <div className="note">
            Charged {charged.display}
            {returned.minor !== "0" && `, given back ${returned.display}`}
          </div>
          <div className={styles["amount"]}>{stays.display}</div>
          <div className="note">
            {doubt === undefined ? "stays charged" : <span className="doubt">{doubt.display} more is in doubt</span>}
          </div>
        </div>
      ))}
    </div>
  );
}
