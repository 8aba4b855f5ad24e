"use client";

import { assignedWords } from "@/presentation/operation/decision-claims";
import { askServiceWords, serviceFoot } from "@/presentation/operation/service-request";
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
  /** Is asked instead of the provider: it owns the kind. */
  readonly service?: string | undefined;
}

export interface AttentionDialogsProps {
  readonly rows: readonly AskedRow[];
  readonly whyNotAssign: string | undefined;
  readonly whyNotReconcile: string | undefined;
}

const GONE = "It is not on this page of the queue.";

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
  if (row?.service !== undefined) return askWords(row.service, row.known, path);
  return {
    title: `Ask the provider about ${row?.what ?? "1 operation"}, and settle it if it knows?`,
    effect:
      "What was sent is asked about by the stable key. A final answer settles the operation, and what succeeded is posted to the ledger. Within its window a retry then gets the outcome, or runs again as its policy lets it, where it had no effect or a refusal does not bind.",
    evidence: row?.known,
    notDone: "Nothing is charged, refunded or voided. An answer that is not final settles nothing.",
    verb: "Ask about 1 operation",
    path: `${path}/reconcile`,
  };
}

function askWords(service: string, known: string, path: string): DialogWords {
  return {
    title: `Ask ${service} to ask the provider about 1 operation?`,
    effect: askServiceWords({ service, action: "reconcile" }),
    evidence: known,
    notDone: serviceFoot({ service }),
    verb: `Ask ${service}`,
    path: `${path}/reconcile`,
  };
}

/** Says whose it is; it holds nobody off. */
function assignWords(row: AskedRow | undefined, path: string, take: boolean): DialogWords {
  return {
    title: take ? "Assign 1 operation to you, so that others see whose it is?" : "Unassign 1 operation?",
    effect: take ? "Your name shows in the queue and in the audit." : "No name shows beside it in the queue any more.",
    evidence: row && (assignedWords(row) || "It is assigned to nobody."),
    notDone: "Its outcome does not change, and nobody is kept from acting: neither the worker nor another person.",
    verb: take ? "Assign 1 operation" : "Unassign 1 operation",
    path: `${path}/assign`,
    body: { to: take ? "me" : "nobody" },
    reason: "none",
  };
}
