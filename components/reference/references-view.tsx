import { below } from "@/components/ui/base-path";
import { EmptyState, TooBroad } from "@/components/feedback/notice";
import { FindForm } from "@/components/find/find-form";
import { SectionTable } from "@/components/table/rows-table";
import { Button } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import { lookedWords, stoppedWords } from "@/presentation/list/list-answers";
import { plural } from "@/presentation/format/words";
import type { FilterProblem } from "@/presentation/filters/search";
import type { ReferenceFilters } from "@/presentation/filters/references";
import { Time } from "@/components/ui/values/time";
import type { ReferenceSearch } from "@/presentation/views/references";
import { Link } from "@/components/ui/link";
import styles from "./reference.module.css";

interface ReferencesProps {
  /** As they were typed. */
  readonly asked: ReferenceFilters;
  readonly problems: readonly FilterProblem[];
  /** None: neither a customer nor an amount was named. */
  readonly found?: ReferenceSearch | undefined;
}

const MAX_TEXT = 300;

/** Where the order number is not known: by customer, amount and day. */
export function ReferencesView({ asked, problems, found }: ReferencesProps) {
  return (
    <>
      <PageHead lede="Was an order charged twice? Find it by its reference, or by customer, amount and day.">
        <PageTitle>References</PageTitle>
      </PageHead>
      <FindForm className={styles["form"]} label="By reference">
        <Field name="q" label="Order reference" />
        <Button type="submit" primary>
          Open
        </Button>
      </FindForm>
      <form
        className={styles["form"]}
        role="search"
        aria-label="By customer, amount and day"
        action={below("/references")}
      >
        <Field name="customer" label="Customer (account id)" value={asked.customer} />
        <Field name="amount" label="Amount" value={asked.amount} hint="84.50 EUR" />
        <Field name="day" label="Day (UTC)" value={asked.day} hint="2026-11-19" type="date" />
        <Button type="submit" primary>
          Search
        </Button>
      </form>
      {problems.map(({ name, detail }) => (
        <p key={`${name} ${detail}`} className="hint doubt" role="alert">
          {name} {detail}.
        </p>
      ))}
      <Found asked={asked} found={found} />
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly type?: "text" | "date" | undefined;
}

function Field({ name, label, value, hint, type = "text" }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        className="box field"
        name={name}
        type={type}
        defaultValue={value}
        maxLength={MAX_TEXT}
        placeholder={hint}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </label>
  );
}

function Found({ asked, found }: Pick<ReferencesProps, "asked" | "found">) {
  if (asked.customer === undefined && asked.amount === undefined) {
    return (
      <EmptyState
        title={
          asked.day === undefined
            ? "Name a customer or an amount."
            : "A day alone is too wide: add a customer or an amount."
        }
        text="Customers are found by their whole account id, not by name, e-mail or card: those are not indexed. An amount without its currency is read with two decimals. A day narrows either of the two."
      />
    );
  }
  if (found === undefined) return null;
  return found.kind === "too_broad" ? (
    <TooBroad
      title="This search took too long."
      text={stoppedWords(
        { seconds: found.stoppedAfterSeconds, search: true },
        asked.day === undefined ? "A day makes it narrower." : undefined,
      )}
    />
  ) : (
    <Hits found={found} />
  );
}

function Hits({ found }: { readonly found: Extract<ReferenceSearch, { readonly kind: "found" }> }) {
  const { hits, lookedAt, more } = found;
  const stopped = lookedWords({ lookedAt });
  if (hits.length === 0)
    return (
      <EmptyState
        title="No payment matches."
        text={
          stopped ??
          "All payments whose key is still kept were looked at. An older one is found by its reference together with its customer."
        }
      />
    );
  return (
    <SectionTable
      title="Found"
      space="none"
      note={`${more ? "the newest " : ""}${plural(hits.length, "reference")}, newest first`}
      rows={hits}
      rowId={({ id }) => id}
      columns={{
        Reference: {
          phone: "left",
          cell: ({ href, reference }) => (
            <Link href={href}>{reference === undefined ? "no reference" : <Id value={reference} plain strong />}</Link>
          ),
        },
        Customer: {
          phone: "left",
          cell: ({ customer }) => (customer === undefined ? "" : <Id value={customer} plain />),
        },
        Keys: { align: "right", phone: "hidden", cell: ({ keys }) => String(keys) },
        Amount: {
          align: "right",
          phone: "right",
          cell: ({ money }) => (money === undefined ? "" : <Money minor={money.minor} currency={money.currency} />),
        },
        Newest: {
          align: "right",
          phone: "right",
          cell: ({ lastAt }) => <Time at={lastAt} now={lastAt} form="exact" />,
        },
      }}
    >
      {stopped !== undefined && <p className="hint">{stopped}</p>}
    </SectionTable>
  );
}
