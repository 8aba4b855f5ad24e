import { ActionDialog } from "@/components/feedback/action-dialog";
import { markNow } from "@/presentation/conflict/mark-claims";
import type { ConflictDetail } from "@/presentation/views/conflicts";

export const MARK_DIALOG = "mark";

/** Whose fault the conflicts of this client and operation are. Changes no answer to anybody. */
export function MarkDialog({ detail }: { readonly detail: ConflictDetail }) {
  const { mark, markNot, second, operation, kind } = detail;
  return (
    <ActionDialog
      name={MARK_DIALOG}
      title={`Mark the ${kind.toLowerCase()} conflicts of ${second.client} up to now?`}
      effect="Everybody sees the mark and your note beside the group, and later conflicts show as new. “Not decided” takes a mark back."
      evidence={markNow(mark)}
      notDone="No answer changes: a conflict stays refused, whoever is at fault. The client is not notified."
      skipped="Other clients and other operations."
      verb="Mark 1 group"
      path="/api/v1/admin/conflicts/mark"
      body={{ client: second.client, operation }}
      fields={[
        {
          name: "mark",
          label: "They are",
          kind: "radio",
          required: true,
          initial: mark?.mark ?? "client_fault",
          options: [
            { value: "client_fault", label: "the client's fault", note: "its key stands for several commands" },
            { value: "ours", label: "ours", note: "the command differs because of us" },
            { value: "none", label: "not decided", note: "takes a mark back" },
          ],
        },
      ]}
      notOffered={markNot}
    />
  );
}
