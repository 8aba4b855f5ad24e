import { discardEffect } from "@/presentation/message/message-dialog-claims";
import { ActionDialog } from "@/components/feedback/action-dialog";

export interface DiscardDialogProps {
  /** Value of `?dialog=`. */
  readonly name: string;
  readonly side: "outbox" | "inbox";
  readonly id: string;
  /** Topic or consumer; missing while the message is not known any more. */
  readonly place?: string | undefined;
  readonly whyNot?: string | undefined;
}

/** Effect and what will not happen, before a message is dropped for good. */
export function DiscardDialog({ name, side, id, place, whyNot }: DiscardDialogProps) {
  const out = side === "outbox";
  return (
    <ActionDialog
      key={id}
      name={name}
      title={
        out ? "Discard 1 message, so that it is no longer sent?" : "Discard 1 message, so that it is no longer handled?"
      }
      effect={discardEffect({ side, place })}
      evidence="Its row, its body, its attempts and its dead letter stay as long as such are kept, with your name and your reason."
      notDone={
        out
          ? "It cannot be taken back, and nothing is sent in its place: that would be edit and requeue. No money moves."
          : "It cannot be taken back, and its body cannot be edited: neither is offered. No money moves."
      }
      verb="Discard 1 message"
      path={`/api/v1/admin/${side}/${id}/discard`}
      notOffered={whyNot}
    />
  );
}
