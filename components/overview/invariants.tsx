import { Link } from "@/components/ui/link";
import { SampleLinks } from "@/components/invariants/sample-links";
import { Glyph } from "@/components/ui/values/glyph";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { uncheckedWords } from "@/presentation/metrics/invariants-verdict";
import type { InvariantsView } from "@/presentation/views/overview";
import { plural } from "@/presentation/format/words";
import styles from "./overview.module.css";
import type { InvariantRow } from "@/domain/checks/rows";

/** Those that hold are counted; a few are named (exceptions first). */
const HOLDING_SHOWN = 5;

export function Invariants({ view, now }: { readonly view: InvariantsView; readonly now: string }) {
  const holding = view.rows.filter((row) => row.checked && row.holds);
  const wrong = view.rows.filter((row) => row.checked && !row.holds);
  const open = view.rows.filter((row) => !row.checked);
  return (
    <Section
      title="Invariants"
      note={`${String(holding.length)} of ${String(view.rows.length)} hold`}
      right={
        <Link href="/invariants">
          {view.checkedAt === undefined ? (
            "not checked yet"
          ) : (
            <>
              checked <Time at={view.checkedAt} now={now} form="ago" />
            </>
          )}
        </Link>
      }
    >
      {wrong.map((row) => (
        <Violated key={row.name} row={row} />
      ))}
      {open.length > 0 && (
        <div className={styles["wrong"]} data-tone="doubt">
          <Glyph name="skipped" size={14} />
          <div>
            <b>
              {open.length === 1 ? (open[0]?.label ?? "1 check") : `${String(open.length)} checks without an answer`}
            </b>
            <p className="hint">{uncheckedWords(open)}</p>
          </div>
        </div>
      )}
      <ul className={styles["holds"]}>
        {holding.slice(0, HOLDING_SHOWN).map((row) => (
          <li key={row.name}>
            <Glyph name="proven" size={14} /> {row.label}
          </li>
        ))}
        {holding.length > HOLDING_SHOWN && (
          <li className={styles["more"]}>
            <Link href="/invariants">and {String(holding.length - HOLDING_SHOWN)} more</Link>
          </li>
        )}
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
        <p className="hint">
          {plural(row.violations, "violation")}. <SampleLinks samples={row.samples} />
        </p>
      </div>
    </div>
  );
}
