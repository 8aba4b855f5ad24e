"use client";

import { useDialog } from "@/components/feedback/use-dialog";
import { NOT_LISTED, RequeueDialog, type DeadMessage } from "@/components/messages/requeue-dialog";
import { DiscardDialog } from "@/components/messages/discard-dialog";

export interface DeadLetterDialogProps {
  readonly rows: readonly DeadMessage[];
  readonly whyNot: { readonly requeue: string | undefined; readonly discard: string | undefined };
}

/** The dialog of one message, if the address names one: `outbox:<id>`, `inbox:<id>`, `discard:<side>:<id>`. */
export function DeadLetterDialog({ rows, whyNot }: DeadLetterDialogProps) {
  const { name, verb, id } = useDialog();
  const discard = verb === "discard";
  const [side, messageId = ""] = discard ? id.split(":", 2) : [verb, id];
  const row = rows.find((each) => each.side === side && each.id === messageId);
  if (side !== "outbox" && side !== "inbox") return null;
  if (!discard) return <RequeueDialog side={side} name={name} id={messageId} row={row} whyNot={whyNot.requeue} />;
  const gone = row === undefined ? NOT_LISTED : row.discardNot;
  return <DiscardDialog name={name} side={side} id={messageId} place={row?.place} whyNot={whyNot.discard ?? gone} />;
}
