import { Offer } from "@/components/ui/offer";
import type { AttentionRow } from "@/presentation/views/operations";
import type { AskedRow } from "./attention-dialogs";

export interface AssignButtonProps {
  readonly row: AttentionRow;
  readonly whyNot: string | undefined;
}

/** Takes an operation, or gives it back. It holds nobody off: recovery goes on. */
export function AssignButton({ row, whyNot }: AssignButtonProps) {
  const taken = row.assignedTo !== undefined;
  return (
    <Offer small dialog={`${taken ? "unassign" : "assign"}:${row.operationId}`} notOffered={whyNot}>
      {taken ? "Unassign" : "Assign to me"}
    </Offer>
  );
}

/** @returns what the dialogs of the queue say of one operation */
export function askedOf(row: AttentionRow): AskedRow {
  const { operationId, kind, money, known, beingAsked, cannotBeAsked, assignedTo } = row;
  const what = `1 ${kind.toLowerCase()}${money === undefined ? "" : ` of ${money.display}`}`;
  const notNow = beingAsked ? "A worker is asking right now." : cannotBeAsked;
  return { id: operationId, what, known, notNow, assignedTo };
}
