import { SectionTable } from "@/components/table/rows-table";
import { formatCount } from "@/presentation/format/display-time";
import { answerFace, askedOf, moneyWords, sumViews } from "@/presentation/plan/plan-answers";
import { resultParts } from "@/presentation/plan/plan-results";
import { LOOK_UP_REST_MS, LOOK_UPS_PER_TURN, LOOK_UPS_TOTAL_MS, type LookUpAnswer } from "@/domain/plans/look-ups";
import type { PlanResult } from "@/domain/plans/plan-results";
import type { PlanAnswerRow, PlanAsking, PlanView } from "@/presentation/views/plans";
import { Marks, rowsPerMark } from "./item-verdict-table";
import { PlanFace } from "./plan-face";
import styles from "./plans.module.css";

/** The mark of a row that would become this. */
const MARKS: Readonly<Record<LookUpAnswer, PlanResult>> = {
  completes: "succeeded",
  fails: "declined",
  frees: "done",
  unknown: "unknown",
  not_asked: "moved",
  waiting: "waiting",
};

/** What the provider said of the rows before the plan ran, with the money of each answer; once it ran, what became of them. */
export function AnswersTable({ plan, asking }: { readonly plan: PlanView; readonly asking: PlanAsking }) {
  const ran = plan.startedAt !== undefined;
  const most = Math.max(0, ...asking.answers.map(({ count }) => count));
  const each = rowsPerMark(most);
  const { all } = askedOf(asking);
  const total = moneyWords(sumViews(asking.answers.flatMap(({ amounts }) => amounts)));
  return (
    <SectionTable
      title={ran ? "What the provider said before it ran" : "What would become of them"}
      note={each === undefined ? "looked up, nothing settled" : `one mark is about ${formatCount(each)} rows`}
      space={ran ? "small" : "none"}
      label="Answers of the dry run"
      rows={asking.answers}
      rowId={({ answer }) => answer}
      columns={{
        "Dry run": {
          sum: "Asked about",
          cell: ({ answer }) => <PlanFace face={answerFace(answer, asking.state)} />,
        },
        "Rows and effect": {
          phone: "full",
          wrap: true,
          cell: (row) => (
            <span className={styles["effect"]}>
              <Marks parts={[{ result: MARKS[row.answer], count: row.count }]} most={most} />
              <small>{ran ? became(row, plan) : answerFace(row.answer, asking.state).effect}</small>
            </span>
          ),
        },
        Rows: { align: "right", sum: formatCount(all), cell: ({ count }) => <b>{formatCount(count)}</b> },
        Amount: { align: "right", wrap: true, sum: total, cell: ({ amounts }) => moneyWords(amounts) },
      }}
    />
  );
}

/** What became of the rows of one answer, and of how many the provider said something else. */
function became({ results, otherwise }: PlanAnswerRow, plan: PlanView): string {
  const parts = resultParts(results, plan.kind, plan.endedAt !== undefined);
  const words = parts.map(({ count, word }) => `${formatCount(count)} ${word}`).join(", ");
  const other = otherwise === 0 ? "" : `; ${formatCount(otherwise)} answered otherwise`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${other}`;
}

const PER_SECOND = (LOOK_UPS_PER_TURN * 1_000) / LOOK_UP_REST_MS;
const MINUTE_MS = 60_000;

/** How far the look-ups came, and what bounds them; nothing once they have ended. */
export function LookUpProgress({ asking }: { readonly asking: PlanAsking }) {
  if (asking.state !== "asking") return null;
  const { asked, all } = askedOf(asking);
  const of = `${formatCount(asked)} of ${formatCount(all)}`;
  const bounds = `At most ${String(PER_SECOND)} a second; stops after ${String(LOOK_UPS_TOTAL_MS / MINUTE_MS)} minutes.`;
  return (
    <div className={styles["progress"]}>
      <div
        className={styles["bar"]}
        role="progressbar"
        aria-label="Rows that were looked up"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={asked}
        aria-valuetext={of}
      >
        <i data-part="done" style={{ width: `${String(all === 0 ? 0 : (asked / all) * 100)}%` }} />
      </div>
      <p>
        <b>{of} looked up</b>
        <span>{asking.beganAt === undefined ? "Waits for a worker." : bounds}</span>
      </p>
    </div>
  );
}
