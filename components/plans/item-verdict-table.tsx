import { SectionTable } from "@/components/table/rows-table";
import { formatCount } from "@/presentation/format/display-time";
import { outlookCountsText } from "@/presentation/message/outlook";
import { resultParts } from "@/presentation/plan/plan-results";
import { ITEM_VERDICT_WORDS } from "@/presentation/plan/item-verdict-words";
import type { PlanVerdictRow, PlanView } from "@/presentation/views/plans";
import { isAttachedKind, unitOf, unitsOf, type AttachedKindName } from "@/domain/plans/plan";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";
import type { PlanResult } from "@/domain/plans/plan-results";
import { PlanFace, planVerdictFace } from "./plan-face";
import { capital } from "@/presentation/format/words";
import styles from "./plans.module.css";

/** What else is said of rows that are left alone. */
const LEFT: Readonly<Partial<Record<PlanItemVerdict, string>>> = {
  processed: "Nothing is left to do",
  operation_unknown: "Settle the operation first",
  mismatch: "A person looks at both payloads",
  leased: "Somebody holds the lease",
  moved: "Nothing is left to do",
  settled: "Nothing is left to do",
  not_sent: "Release it: there is nothing to ask",
  sent: "Ask the provider first",
  cannot_ask: "A person decides",
  foreign: "Its own service settles it",
  open: "The body stays",
  purged: "Nothing is left to do",
  kept: "Its policy keeps it",
};

const ATTACHED_EFFECTS: Readonly<Record<AttachedKindName, string>> = {
  requeue_attached: "Requeued by the function of its owner",
  discard_attached: "Discarded by the function of its owner",
  purge_attached: "Deleted by the function of its owner, no more rows than were counted",
};

/** What became of the rows of a verdict once the plan has run; before that, what would. */
function effect(row: PlanVerdictRow, plan: PlanView): string {
  if (!row.acts) return LEFT[row.verdict] ?? "Left alone";
  if (plan.startedAt !== undefined) {
    const parts = resultParts(row.results, plan.kind, plan.endedAt !== undefined);
    const words = parts.map(({ count, word }) => `${formatCount(count)} ${word}`).join(", ");
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  }
  if (isAttachedKind(plan.kind)) return ATTACHED_EFFECTS[plan.kind];
  if (row.verdict === "ask") return "A final answer is stored and its ledger posted; anything else changes nothing";
  if (row.verdict === "free") return "The key is released, nothing is sent";
  if (row.verdict === "expired") return "Command and answer deleted; fingerprint and state stay";
  if (plan.kind === "discard_dead_letters") return "Discarded; row, body and reason stay";
  return row.verdict === "processed"
    ? "Closed as delivered, nothing is sent"
    : "Requeued under the same id, with all attempts back";
}

/** What the dry run said: one line per verdict, what acts first, with a sum. */
export function ItemVerdictTable({ plan }: { readonly plan: PlanView }) {
  const ran = plan.startedAt !== undefined;
  const most = Math.max(...plan.verdicts.map((row) => row.count));
  const each = rowsPerMark(most);
  const units = unitsOf(plan.kind);
  const outlook = outlookCountsText(plan.outlooks ?? {});
  const asks = plan.asking !== undefined && !ran;
  return (
    <SectionTable
      title={
        ran
          ? plan.endedAt === undefined
            ? "What it does"
            : "What it did"
          : asks
            ? "What was frozen"
            : "What it would do"
      }
      note={
        each === undefined ? `one mark is one ${unitOf(plan.kind)}` : `one mark is about ${formatCount(each)} ${units}`
      }
      space={asks ? "small" : "none"}
      label="Verdicts of the dry run"
      rows={plan.verdicts}
      rowId={({ verdict, acts }) => `${verdict} ${String(acts)}`}
      columns={{
        Verdict: {
          sum: "Frozen",
          cell: ({ verdict, acts }) => (
            <PlanFace
              face={
                acts
                  ? { ...planVerdictFace(verdict), word: ITEM_VERDICT_WORDS[verdict] }
                  : { glyph: "skipped", tone: "quiet", word: `Leave: ${ITEM_VERDICT_WORDS[verdict].toLowerCase()}` }
              }
            />
          ),
        },
        [`${capital(units)} and effect`]: {
          phone: "full",
          wrap: true,
          cell: (row) => (
            <span className={styles["effect"]}>
              <Marks parts={resultParts(row.results, plan.kind, plan.endedAt !== undefined)} most={most} />
              <small>{effect(row, plan)}</small>
            </span>
          ),
        },
        Ended: ran && {
          align: "right",
          phone: "hidden",
          cell: ({ acts, count, counts }) => (acts ? formatCount(count - counts.waiting) : ""),
        },
        [capital(units)]: {
          align: "right",
          sum: formatCount(plan.total),
          cell: ({ count }) => <b>{formatCount(count)}</b>,
        },
      }}
    >
      {outlook !== "" && <p className="hint">Outlook when it was frozen: {outlook}.</p>}
    </SectionTable>
  );
}

const MARK = 8;

const HALF = MARK / 2;

const RADIUS = 2.6;

const HEIGHT = 12;

const MIDDLE = HEIGHT / 2;

const MOST = 40;

interface MarksProps {
  /** Rows of each result, in the order in which they are drawn. */
  readonly parts: readonly { readonly result: PlanResult; readonly count: number }[];
  /** The largest count that is drawn beside it. */
  readonly most: number;
}

/**
 * One mark is one row, and its shape says what became of it: a disc happened, a crossed square was refused, a dashed ring is unknown, a
 * small disc was settled by somebody else, a dash was left alone, a full square failed, a ring has not happened. Where there are too many
 * rows every line keeps its share, and what is there at all keeps one mark. Decoration of the words beside it.
 */
export function Marks({ parts, most }: MarksProps) {
  const marks = parts.flatMap(({ result, count }) =>
    Array<PlanResult>(most > MOST ? Math.max(count === 0 ? 0 : 1, Math.round((count / most) * MOST)) : count).fill(
      result,
    ),
  );
  return (
    <svg
      className={styles["marks"]}
      width={marks.length * MARK}
      height={HEIGHT}
      viewBox={`0 0 ${String(marks.length * MARK)} ${String(HEIGHT)}`}
      aria-hidden
    >
      {marks.map((result, index) => (
        <g key={index} data-result={result} transform={`translate(${String(index * MARK + HALF)} ${String(MIDDLE)})`}>
          {SHAPES[result]}
        </g>
      ))}
    </svg>
  );
}

const disc = <circle r={RADIUS} />;

const dash = <path d="M-2.5 0h5" />;

const SHAPES = {
  succeeded: disc,
  done: disc,
  closed: <circle r={RADIUS - 1} />,
  // An arrow: handed on, and not known to have ended.
  asked: <path d="M-2.5 -3L3 0L-2.5 3Z" />,
  declined: <path d="M-2.5 -2.5h5v5h-5zM-2.5 -2.5l5 5M2.5 -2.5l-5 5" />,
  unknown: <circle r={RADIUS} strokeDasharray="1.6 1.12" />,
  // Small, as it happened elsewhere.
  settled: <circle r={RADIUS / 2} />,
  moved: dash,
  left: dash,
  failed: <path d="M-3 -3h6v6h-6z" />,
  waiting: <circle r={RADIUS} />,
} as const satisfies Record<PlanResult, unknown>;

/** @returns what one mark stands for, when it is not one row; undefined otherwise */
export function rowsPerMark(most: number): number | undefined {
  return most > MOST ? Math.ceil(most / MOST) : undefined;
}
