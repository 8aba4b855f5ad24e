import { VERDICT_FACES } from "@/components/dead-letters/verdict-counts";
import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/state-tag";
import { formatCount } from "@/domain/display-time";
import { VERDICT_WORDS, type RequeueVerdict } from "@/domain/requeue-verdict";
import type { PlanVerdictRow, PlanView } from "@/domain/views/plans";
import { Marks, rowsPerMark } from "./marks";
import styles from "./plans.module.css";

const LEFT: Readonly<Record<RequeueVerdict, string>> = {
  safe: "Left alone",
  processed: "Nothing is left to do",
  operation_unknown: "Settle the operation first",
  mismatch: "A person looks at both payloads",
  leased: "Somebody is at it right now",
  moved: "Nothing is left to do",
};

function effect(row: PlanVerdictRow, plan: PlanView): string {
  if (!row.acts) return LEFT[row.verdict];
  if (plan.kind === "discard_dead_letters") return "Dropped for good; row, body and reason stay";
  return row.verdict === "processed"
    ? "Closed as delivered, nothing is sent"
    : "Set going again under the same id, with all attempts back";
}

/** What the dry run said: one line per verdict, what acts first, with a sum. */
export function PlanVerdicts({ plan }: { readonly plan: PlanView }) {
  const ran = plan.startedAt !== undefined;
  const most = Math.max(...plan.verdicts.map((row) => row.count));
  const each = rowsPerMark(most);
  return (
    <Section
      title={ran ? (plan.endedAt === undefined ? "What it does" : "What it did") : "What it would do"}
      note={each === undefined ? "one mark is one row" : `one mark is about ${formatCount(each)} rows`}
      space="none"
    >
      <SimpleTable
        label="Verdicts of the dry run"
        columns={[
          { id: "verdict", header: "Verdict", phone: "left" },
          { id: "effect", header: "Rows and effect", phone: "full", wrap: true },
          ...(ran ? [{ id: "ended", header: "Ended", align: "right", phone: "hidden" } as const] : []),
          { id: "rows", header: "Rows", align: "right", phone: "right" },
        ]}
        rows={plan.verdicts.map((row) => ({
          id: `${row.verdict} ${String(row.acts)}`,
          cells: {
            verdict: (
              <StateTag
                name={row.acts ? VERDICT_FACES[row.verdict].glyph : "skipped"}
                tone={row.acts ? "proven" : "doubt"}
              >
                <span className={styles["verdict"]}>
                  {row.acts ? VERDICT_WORDS[row.verdict] : `Leave: ${VERDICT_WORDS[row.verdict].toLowerCase()}`}
                </span>
              </StateTag>
            ),
            effect: (
              <span className={styles["effect"]}>
                <Marks count={row.count} most={most} acts={row.acts} />
                <small>{effect(row, plan)}</small>
              </span>
            ),
            ended: row.acts ? formatCount(row.count - row.counts.waiting) : "",
            rows: <b className={styles["count"]}>{formatCount(row.count)}</b>,
          },
        }))}
        sum={{ verdict: "Frozen", ended: "", rows: formatCount(plan.total) }}
      />
    </Section>
  );
}
