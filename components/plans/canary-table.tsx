import { SectionTable } from "@/components/table/rows-table";
import { Id } from "@/components/ui/values/id";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/values/time";
import { canaryAdvice, canaryWords } from "@/presentation/plan/plan-canary";
import type { Face, PlanCanary, PlanCanaryRow } from "@/presentation/views/plans";
import { topicLabel } from "@/domain/messages/topic-label";
import { PlanFace } from "./plan-face";
import styles from "./plans.module.css";

function faceOf({ answer }: PlanCanaryRow): Face {
  if (answer === undefined) return { glyph: "in_progress", tone: "moving", word: "Waiting" };
  return answer === "delivered"
    ? { glyph: "COMPLETED", tone: "done", word: "Came through" }
    : { glyph: "dead", tone: "broken", word: "Failed" };
}

/** The rows that went first, one for each destination, and what became of them; nothing before the plan runs. */
export function CanaryTable({ canary, now }: { readonly canary: PlanCanary; readonly now: string }) {
  const advice = canaryAdvice(canary);
  const many = canary.rows.length > 1;
  return (
    <SectionTable
      title={many ? "Canaries" : "Canary"}
      note={`requeued first, ${many ? "one for each destination" : "to see what becomes of it"}`}
      space="small"
      rows={canary.rows}
      rowId={({ messageId }) => messageId}
      columns={{
        Answer: { phone: "left", cell: (row) => <PlanFace face={faceOf(row)} /> },
        Message: {
          phone: "full",
          wrap: true,
          cell: ({ side, messageId, type }) => (
            <span className={styles["message"]}>
              {type}{" "}
              <Link href={`/${side}/${messageId}`}>
                <Id value={messageId} plain />
              </Link>
            </span>
          ),
        },
        Destination: { phone: "full", wrap: true, cell: ({ place, placeName }) => placeName ?? topicLabel(place) },
        "What became of it": { phone: "full", wrap: true, cell: (row) => canaryWords(row) },
        Sent: { align: "right", phone: "right", cell: ({ at }) => <Time at={at} now={now} form="clock" /> },
      }}
    >
      {advice !== undefined && <p className="hint">{advice}</p>}
    </SectionTable>
  );
}
