import { SimpleTable } from "@/components/table/simple-table";
import { Section } from "@/components/ui/section";
import { formatCount } from "@/presentation/format/display-time";
import { resultParts } from "@/presentation/plan/plan-results";
import { ITEM_VERDICT_WORDS } from "@/presentation/plan/item-verdict-words";
import type { PlanVerdictRow, PlanView } from "@/presentation/views/plans";
import shared from "@/components/ui/shared.module.css";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";
import { Marks, rowsPerMark } from "./marks";
import { PlanFace, planVerdictFace } from "./plan-face";
import styles from "./plans.module.css";

const LEFT: Readonly<Record<PlanItemVerdict, string>> = {
  safe: "Left alone",
  processed: "Nothing is left to do",
  operation_unknown: "Settle the operation first",
  mismatch: "A person looks at both payloads",
  leased: "Somebody is at it right now",
  moved: "Nothing is left to do",
  ask: "Left alone",
  free: "Left alone",
  expired: "Left alone",
  settled: "Nothing is left to do",
  not_sent: "Release it: there is nothing to ask",
  sent: "Ask the provider first",
  cannot_ask: "A person decides",
  foreign: "Its own service settles it",
  open: "The body is evidence",
  purged: "Nothing is left to do",
  kept: "Its policy keeps it",
};

/** What became of the rows of a verdict once the plan has run; before that, what would. */
function effect(row: PlanVerdictRow, plan: PlanView): string {
  if (!row.acts) return LEFT[row.verdict];
  if (plan.startedAt !== undefined) {
    const parts = resultParts(row.results, plan.kind, plan.endedAt !== undefined);
    const words = parts.map(({ count, word }) => `${formatCount(count)} ${word}`).join(", ");
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  }
  if (row.verdict === "ask") return "A final answer is stored and its ledger posted; anything else changes nothing";
  if (row.verdict === "free") return "The same key may run again, nothing is sent";
  if (row.verdict === "expired") return "Command and answer deleted; fingerprint and state stay";
  if (plan.kind === "discard_dead_letters") return "Dropped for good; row, body and reason stay";
  return row.verdict === "processed"
    ? "Closed as delivered, nothing is sent"
    : "Set going again under the same id, with all attempts back";
}

/** What the dry run said: one line per verdict, what acts first, with a sum. */
export function ItemVerdictTable({ plan }: { readonly plan: PlanView }) {
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
              <PlanFace
                face={
                  row.acts
                    ? { ...planVerdictFace(row.verdict), word: ITEM_VERDICT_WORDS[row.verdict] }
                    : {
                        glyph: "skipped",
                        tone: "quiet",
                        word: `Leave: ${ITEM_VERDICT_WORDS[row.verdict].toLowerCase()}`,
                      }
                }
              />
            ),
            effect: (
              <span className={styles["effect"]}>
                <Marks parts={resultParts(row.results, plan.kind, plan.endedAt !== undefined)} most={most} />
                <small>{effect(row, plan)}</small>
              </span>
            ),
            ended: row.acts ? formatCount(row.count - row.counts.waiting) : "",
            rows: <b className={shared["strong"]}>{formatCount(row.count)}</b>,
          },
        }))}
        sum={{ verdict: "Frozen", ended: "", rows: formatCount(plan.total) }}
      />
    </Section>
  );
}
