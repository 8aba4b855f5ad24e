import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { InvariantMark, InvariantPageRow, InvariantsPage } from "@/presentation/views/invariants";
import { CheckNow } from "./check-now";
import { Glyph } from "@/components/ui/values/glyph";
import { CopyText } from "@/components/ui/values/copy-text";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import { SampleLinks } from "./sample-links";
import styles from "./invariants.module.css";

/** What must always hold: violated sentences first, then every group in its order. Nothing is checked by looking. */
export function InvariantsView({ view }: { readonly view: InvariantsPage }) {
  const wrong = view.rows.filter((row) => row.checked && !row.holds);
  const others = view.rows.filter((row) => !wrong.includes(row));
  const groups = [...new Set(others.map((row) => row.group))];
  return (
    <>
      <PageHead
        lede={
          <>
            Read-only statements that look for a counterexample, run by the worker once a minute; each is stopped when
            it takes longer than 3 s. Most look back {view.windowHours} hours. When one was last seen red is kept for 30
            days; its strip shows the last {view.stripHours} hours. <NeverRed view={view} />
          </>
        }
        aside={<CheckNow notOffered={view.checkNot} />}
        verdict={view.verdict}
      />
      {wrong.length > 0 && <Group title="Violated" rows={wrong} view={view} />}
      {groups.map((group) => (
        <Group key={group} title={group} rows={others.filter((row) => row.group === group)} view={view} />
      ))}
    </>
  );
}

/** Said once for all that were never seen red; beside each other stands its date, or that it is red now. */
function NeverRed({ view: { rows, at } }: { readonly view: InvariantsPage }) {
  const never = rows.filter(
    (row) => row.checkedAt !== undefined && row.lastViolatedAt === undefined && (row.holds || !row.checked),
  );
  // Since the last of them was first looked at, which is true of each.
  const since = never
    .map(({ firstCheckedAt, checkedAt }) => firstCheckedAt ?? checkedAt ?? at)
    .toSorted()
    .at(-1);
  if (since === undefined) return null;
  return (
    <>
      {never.length === rows.length ? "None" : "Unless said beside it, none"} was seen red since{" "}
      <Time at={since} now={at} form="day" />.
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly rows: readonly InvariantPageRow[];
  readonly view: InvariantsPage;
}

function Group({ title, rows, view }: GroupProps) {
  const holding = rows.filter((row) => row.holds).length;
  return (
    <Section
      title={title}
      note={title === "Violated" ? undefined : `${String(holding)} of ${String(rows.length)} hold`}
      right={
        view.checkedAt === undefined ? undefined : (
          <>
            checked <Time at={view.checkedAt} now={view.at} form="ago" />
          </>
        )
      }
    >
      <ul>
        {rows.map((row) => (
          <InvariantLine key={row.name} row={row} view={view} />
        ))}
      </ul>
    </Section>
  );
}

interface InvariantLineProps {
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

const SAME_RUN_MS = 30_000;

const WORDS = { holds: "holds", violated: "violated", open: "not checked" } as const;

function Run({ row, view }: InvariantLineProps) {
  if (row.checkedAt === undefined) return <span>never run</span>;
  const took = row.checked ? formatDuration(row.durationMs ?? 0) : "stopped: it took too long";
  if (saidAbove(row.checkedAt, view.checkedAt)) return <span>{took}</span>;
  return (
    <span>
      <Time at={row.checkedAt} now={view.at} form="ago" />, {took}
    </span>
  );
}

/** Of one run, whose age stands above the rows. */
function saidAbove(checkedAt: string, group: string | undefined): boolean {
  return group !== undefined && Math.abs(Date.parse(checkedAt) - Date.parse(group)) < SAME_RUN_MS;
}

function Last({ row, view }: InvariantLineProps) {
  if (row.checked && !row.holds) return <span>red now</span>;
  if (row.lastViolatedAt === undefined) return null;
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

interface InvariantHistoryProps {
  /** Oldest first. */
  readonly marks: readonly InvariantMark[];
  readonly label: string;
  readonly hours: number;
}

const STEP = 4;

const HEIGHT = 18;

/** Height of a mark: what was wrong stands out in grey and in print too. */
const TALL: Readonly<Record<InvariantMark, number>> = { none: 1, held: 6, unfinished: 12, violated: 18 };

/** The last day of one invariant: a low mark held, a high one was red; a line where nobody checked. */
function InvariantHistory({ marks, label, hours }: InvariantHistoryProps) {
  const red = marks.filter((mark) => mark === "violated").length;
  const minutes = Math.round((hours * 60) / Math.max(1, marks.length));
  const text = marks.every((mark) => mark === "none")
    ? "nobody checked"
    : red === 0
      ? "never red"
      : `red in ${String(red)} of ${String(marks.length)} parts of ${String(minutes)} min`;
  return (
    <svg
      className={styles["strip"]}
      width={marks.length * STEP}
      height={HEIGHT}
      viewBox={`0 0 ${String(marks.length * STEP)} ${String(HEIGHT)}`}
      role="img"
      aria-label={`${label}, last ${String(hours)} hours: ${text}`}
    >
      {marks.map((mark, index) => (
        <rect
          key={index}
          data-mark={mark}
          x={index * STEP}
          y={HEIGHT - TALL[mark]}
          width={mark === "none" ? STEP : STEP - 1.5}
          height={TALL[mark]}
        />
      ))}
    </svg>
  );
}
