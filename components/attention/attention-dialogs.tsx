"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialogOf } from "@/components/feedback/use-dialog";

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

const GONE = "It is no longer in this list.";

export function AttentionDialogs({ rows, whyNotAssign, whyNotReconcile }: AttentionDialogsProps) {
  const { name, verb, id, row } = useDialogOf(rows);
  const notNow = row === undefined ? GONE : undefined;
  const path = `/api/v1/admin/operations/${id}`;
  const words: Readonly<Record<string, DialogWords | undefined>> = {
    reconcile: { ...reconcileWords(row, path), notOffered: whyNotReconcile ?? notNow ?? row?.notNow },
    assign: { ...assignWords(row, path, true), notOffered: whyNotAssign ?? notNow },
    unassign: { ...assignWords(row, path, false), notOffered: whyNotAssign ?? notNow },
  };
  return <AskedDialog name={name} words={Object.hasOwn(words, verb) ? words[verb] : undefined} />;
}

function reconcileWords(row: AskedRow | undefined, path: string): DialogWords {
  return {
    title: `Ask the provider about ${row?.what ?? "1 operation"}, and settle it if it knows?`,
    effect:
      "The provider is asked by the stable key. A final answer settles the operation: the answer is stored, the ledger is posted, callers replay it.",
    evidence: row?.known ?? "It has left this list since.",
    notDone: "Nothing is charged, refunded or voided. An answer that is not final changes nothing.",
    verb: "Ask about 1 operation",
    path: `${path}/reconcile`,
  };
}

/** Says whose it is; it holds nobody off. */
function assignWords(row: AskedRow | undefined, path: string, take: boolean): DialogWords {
  return {
    title: take ? "Assign 1 operation to you, so that others see whose it is?" : "Unassign 1 operation?",
    effect: take ? "Your name shows in the queue and in the audit." : "No name shows in the queue any more.",
    evidence: row?.assignedTo === undefined ? "It is assigned to nobody." : `Assigned to ${row.assignedTo}.`,
    notDone: "Nothing about the operation changes. The worker still asks automatically, and anyone may still act.",
    verb: take ? "Assign 1 operation" : "Unassign 1 operation",
    path: `${path}/assign`,
    body: { to: take ? "me" : "nobody" },
    reason: "none",
  };
}
