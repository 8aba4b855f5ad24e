import { CopyText } from "@/components/ui/values/copy-text";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { InvariantPageRow, InvariantsPage } from "@/presentation/views/invariants";
import { plural } from "@/presentation/format/words";
import { InvariantHistory } from "./invariant-history";
import { SampleLinks } from "./sample-links";
import styles from "./invariants.module.css";

export interface InvariantLineProps {
  readonly row: InvariantPageRow;
  readonly view: InvariantsPage;
}

export function InvariantLine({ row, view }: InvariantLineProps) {
  const state = row.checked ? (row.holds ? "holds" : "violated") : "open";
  return (
    <li id={row.name} className={styles["line"]} data-state={state}>
      <Glyph name={state === "holds" ? "proven" : state === "violated" ? "dead" : "skipped"} size={16} />
      <div className={styles["said"]}>
        <h3>{row.label}</h3>
        <p>{row.sentence}</p>
        {state === "violated" && <Violations row={row} />}
        <details className={styles["sql"]}>
          <summary>
            The statement<span className="spoken"> of {row.label}</span>
          </summary>
          <p>
            Looks at {row.looksAt}. Read-only; it may be run by hand. <CopyText text={row.sql}>Copy</CopyText>
          </p>
          <pre tabIndex={0} aria-label={`Statement of ${row.label}`}>
            {row.sql}
          </pre>
        </details>
      </div>
      <div className={styles["run"]}>
        <b>{WORDS[state]}</b>
        <Run row={row} view={view} />
      </div>
      <div className={styles["history"]}>
        <InvariantHistory marks={row.strip} label={row.label} hours={view.stripHours} />
        <Last row={row} view={view} />
      </div>
    </li>
  );
}

const WORDS = { holds: "holds", violated: "violated", open: "not checked" } as const;

function Run({ row, view }: InvariantLineProps) {
  if (row.checkedAt === undefined) return <span>never run</span>;
  return (
    <span>
      <Time at={row.checkedAt} now={view.at} form="ago" />
      {row.checked ? `, ${formatDuration(row.durationMs ?? 0)}` : ", stopped: it took too long"}
    </span>
  );
}

function Last({ row, view }: InvariantLineProps) {
  if (row.checked && !row.holds) return <span>red now</span>;
  if (row.checkedAt === undefined) return null;
  if (row.lastViolatedAt === undefined) return <span>never red in 30 days</span>;
  return (
    <span>
      red last <Time at={row.lastViolatedAt} now={view.at} form="day" />
    </span>
  );
}

function Violations({ row }: { readonly row: InvariantPageRow }) {
  const count = row.capped ? `${formatCount(row.violations)}+ violations` : plural(row.violations, "violation");
  return (
    <p className={styles["violations"]}>
      {count}: <SampleLinks samples={row.samples} />
    </p>
  );
}
