import { cutMiddle } from "@/presentation/format/cut-middle";
import { messageBasics } from "@/presentation/message/sides";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import type { DeadMessage } from "./requeue-dialog";

type JudgedMessage = JudgedOutboxRow | JudgedInboxRow;

export function deadMessageOf(row: JudgedMessage): DeadMessage {
  const { side, placeLabel: place } = messageBasics(row);
  const line = "topic" in row ? `${row.aggregateType} ${cutMiddle(row.aggregateId)}` : undefined;
  const { id, safe, outlook, closes, requeueNot } = row;
  return { side, id, line, place, safe: safe.text, outlook: outlook?.text, closes, whyNot: requeueNot };
}

/** @returns what the dialogs of a list say; only dead messages have one */
export function deadMessagesOf(rows: readonly JudgedMessage[]): readonly DeadMessage[] {
  return rows.filter(({ state }) => state === "dead").map(deadMessageOf);
}
