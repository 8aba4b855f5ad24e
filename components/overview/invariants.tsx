import Link from "next/link";
import { Glyph } from "@/components/ui/glyph";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { cutMiddle } from "@/domain/cut-middle";
import { formatCount } from "@/domain/display-time";
import type { InvariantRow, InvariantsView } from "@/domain/views/overview";
import styles from "./overview.module.css";

/** What must always hold: a violation stands first, with the things that violate it. */
export function Invariants({ view, now }: { readonly view: InvariantsView; readonly now: string }) {
  const holding = view.rows.filter((row) => row.checked && row.holds);
  const wrong = view.rows.filter((row) => row.checked && !row.holds);
  const open = view.rows.filter((row) => !row.checked);
  return (
    <Section
      title="Invariants"
      note={`${String(holding.length)} of ${String(view.rows.length)} hold`}
      right={
        <>
          <Link href="/invariants">
            {view.checkedAt === undefined ? (
              "not checked yet"
            ) : (
              <>
                checked <Time at={view.checkedAt} now={now} form="ago" />
              </>
            )}
          </Link>
        </>
      }
    >
      {wrong.map((row) => (
        <Violated key={row.name} row={row} />
      ))}
      {open.map((row) => (
        <div key={row.name} className={styles["wrong"]} data-tone="doubt">
          <Glyph name="skipped" size={14} />
          <div>
            <b>{row.label}</b>
            <p>
              {view.checkedAt === undefined
                ? "Not checked yet."
                : "Not checked: the check took too long and was stopped."}
            </p>
          </div>
        </div>
      ))}
      <ul className={styles["holds"]}>
        {holding.map((row) => (
          <li key={row.name}>
            <Glyph name="proven" size={14} /> {row.label}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Violated({ row }: { readonly row: InvariantRow }) {
  return (
    <div className={styles["wrong"]}>
      <Glyph name="dead" size={14} />
      <div>
        <b>{row.label}</b>
        <p>
          {row.violations === 1 ? "1 violation." : `${formatCount(row.violations)} violations.`}{" "}
          {row.samples.map((sample) => (
            <Link key={sample.id} href={sample.href} title={sample.id}>
              {cutMiddle(sample.id)}
            </Link>
          ))}
        </p>
      </div>
    </div>
  );
}
