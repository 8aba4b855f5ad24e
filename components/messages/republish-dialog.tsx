import { ActionDialog } from "@/components/feedback/action-dialog";
import { republishEffect } from "@/presentation/message/message-dialog-claims";

export interface RepublishDialogProps {
  readonly id: string;
  /** Topic, for people. */
  readonly place: string;
  /** What is known of its arrival; missing where it is not offered. */
  readonly note: string | undefined;
  readonly whyNot: string | undefined;
}

/** Effect, evidence and what will not happen, before a published message goes out once more. */
export function RepublishDialog({ id, place, note, whyNot }: RepublishDialogProps) {
  return (
    <ActionDialog
      key={id}
      name={`republish:${id}`}
      title="Publish 1 message again, under its id?"
      effect={republishEffect({ side: "outbox", place })}
      evidence={note}
      notDone="Its id and body stay the same, so a receiver that has it drops the copy by its id. One that keeps no ids acts on it twice."
      verb="Publish 1 message again"
      path={`/api/v1/admin/outbox/${id}/republish`}
      notOffered={whyNot}
    />
  );
}
