"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import { useAsOpened, useDialog } from "@/components/feedback/use-dialog";

export interface AskedRow {
  readonly id: string;
  /** "1 payment of €12.00". */
  readonly what: string;
  readonly known: string;
  /** Why its provider cannot be asked now. */
  readonly notNow: string | undefined;
  readonly assignedTo: string | undefined;
}

export interface AttentionDialogsProps {
  readonly rows: readonly AskedRow[];
  readonly whyNotAssign: string | undefined;
  readonly whyNotReconcile: string | undefined;
}

const GONE = "It is not in this list any more.";

export function AttentionDialogs({ rows, whyNotAssign, whyNotReconcile }: AttentionDialogsProps) {
  const { name, verb, id } = useDialog();
  const row = useAsOpened(
    name,
    rows.find((each) => each.id === id),
  );
  if (verb === "reconcile") return <ReconcileDialog key={name} id={id} row={row} whyNot={whyNotReconcile} />;
  if (verb !== "assign" && verb !== "unassign") return null;
  return <AssignDialog key={name} take={verb === "assign"} id={id} row={row} whyNot={whyNotAssign} />;
}

interface DialogProps {
  readonly id: string;
  readonly row: AskedRow | undefined;
  readonly whyNot: string | undefined;
}

function ReconcileDialog({ id, row, whyNot }: DialogProps) {
  return (
    <ActionDialog
      name={`reconcile:${id}`}
      title={`Ask the provider about ${row?.what ?? "1 operation"}, and settle it if it knows?`}
      effect="The provider is asked by the stable key. A final answer settles the operation: the answer is stored, the ledger is posted, callers replay it."
      evidence={row?.known ?? "It has left this list since."}
      notDone="Nothing is charged, refunded or voided. An answer that is not final changes nothing."
      verb="Ask about 1 operation"
      path={`/api/v1/admin/operations/${id}/reconcile`}
      notOffered={whyNot ?? (row === undefined ? GONE : row.notNow)}
    />
  );
}

/** Says whose it is; it holds nobody off. */
function AssignDialog({ take, id, row, whyNot }: DialogProps & { readonly take: boolean }) {
  return (
    <ActionDialog
      name={`${take ? "assign" : "unassign"}:${id}`}
      title={take ? "Assign 1 operation to you, so that others see whose it is?" : "Unassign 1 operation?"}
      effect={take ? "Your name stands in the queue, and in the audit." : "Nobody's name stands in the queue any more."}
      evidence={row?.assignedTo === undefined ? "Nobody looks after it." : `${row.assignedTo} looks after it.`}
      notDone="Nothing about the operation changes. The worker still asks by itself, and anybody may still act."
      verb={take ? "Assign 1 operation" : "Unassign 1 operation"}
      path={`/api/v1/admin/operations/${id}/assign`}
      body={{ to: take ? "me" : "nobody" }}
      reason="none"
      notOffered={whyNot ?? (row === undefined ? GONE : undefined)}
    />
  );
}
