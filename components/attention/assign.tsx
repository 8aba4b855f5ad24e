import { ActionDialog } from "@/components/feedback/action-dialog";
import { Button, ButtonLink } from "@/components/ui/button";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { AttentionRow } from "@/presentation/views/operations";

export interface AssignButtonProps {
  readonly row: AttentionRow;
  readonly address: PageAddress;
  readonly whyNot: string | undefined;
}

/** Takes an operation, or gives it back. It holds nobody off: recovery goes on. */
export function AssignButton({ row, address, whyNot }: AssignButtonProps) {
  const taken = row.assignedTo !== undefined;
  const label = taken ? "Unassign" : "Assign to me";
  if (whyNot !== undefined) {
    return (
      <Button small notOffered={whyNot}>
        {label}
      </Button>
    );
  }
  const dialog = `${taken ? "unassign" : "assign"}:${row.operationId}`;
  return (
    <ButtonLink small stay href={hrefWith(address, { dialog })}>
      {label}
    </ButtonLink>
  );
}

const NAME = /^(assign|unassign):([0-9a-f-]{36})$/;

export interface AssignDialogProps {
  /** Value of `?dialog=`. */
  readonly name: string | undefined;
  readonly rows: readonly AttentionRow[];
  readonly whyNot: string | undefined;
}

/** Says whose it is; stays while its answer is read. */
export function AssignDialog({ name, rows, whyNot }: AssignDialogProps) {
  const [, verb, id = ""] = NAME.exec(name ?? "") ?? [];
  if (name === undefined || verb === undefined) return null;
  const row = rows.find(({ operationId }) => operationId === id);
  const take = verb === "assign";
  return (
    <ActionDialog
      key={name}
      name={name}
      title={take ? "Assign 1 operation to you, so that others see whose it is?" : "Unassign 1 operation?"}
      effect={take ? "Your name stands in the queue, and in the audit." : "Nobody's name stands in the queue any more."}
      evidence={row?.assignedTo === undefined ? "Nobody looks after it." : `${row.assignedTo} looks after it.`}
      notDone="Nothing about the operation changes. The worker still asks by itself, and anybody may still act."
      verb={take ? "Assign 1 operation" : "Unassign 1 operation"}
      path={`/api/v1/admin/operations/${id}/assign`}
      body={{ to: take ? "me" : "nobody" }}
      reason="none"
      notOffered={whyNot ?? (row === undefined ? "It is not in this list any more." : undefined)}
    />
  );
}
