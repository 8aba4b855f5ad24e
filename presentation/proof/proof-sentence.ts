import type { ProofCase } from "./proof-case";
import { NONE } from "./proof-expected";
import type { ProofClaim, ProofCounts, ProofVerdict } from "./proof-statement";
import { clause, verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import { plural } from "../format/words";

/** Failures in the sentence; the table has all of them. */
const FAILURES_TOLD = 3;

/** "Money moved once. 7 requests, 1 execution, 1 provider call, 1 event, 1 consumer, 1 ledger entry." */
export function proofSentence(
  it: ProofCase,
  verdict: ProofVerdict,
  claims: readonly ProofClaim[],
  counts: ProofCounts,
): VerdictView {
  return verdictOf([...head(it, verdict, claims), clause(countsText(it, counts))]);
}

function head(it: ProofCase, verdict: ProofVerdict, claims: readonly ProofClaim[]): VerdictClause[] {
  const notes = (status: ProofClaim["status"]): string[] => [
    ...new Set(claims.filter((claim) => claim.status === status).flatMap((claim) => claim.note ?? [])),
  ];
  switch (verdict) {
    case "proven":
      return effect(it);
    case "broken":
      return [
        clause("Proof failed.", "broken"),
        ...notes("fails")
          .slice(0, FAILURES_TOLD)
          .map((note) => clause(note, "broken")),
      ];
    case "open":
      return open(it, notes("open")[0]);
    case "partial":
      return [...effect(it), clause("Not all of it can still be shown.", "doubt")];
  }
}

function effect({ outcome, expected }: ProofCase): VerdictClause[] {
  switch (outcome) {
    case "made":
      return [clause(expected.once)];
    case "refused":
      return [clause(expected.none), clause("The refusal is the answer.")];
    case "nothing":
      return [clause(expected.none), clause("The key never runs again.")];
    case "retryable":
    case "unsettled":
      return [];
  }
}

function open(it: ProofCase, first: string | undefined): VerdictClause[] {
  const { outcome, expected } = it;
  if (outcome === "unsettled") return [clause("Not settled yet.", "doubt"), clause(expected.doubt, "doubt")];
  if (outcome === "retryable")
    return [clause(expected.none), clause("Not settled yet: the same key may run again.", "doubt")];
  return [...effect(it), clause("Not finished yet.", "doubt"), ...(first === undefined ? [] : [clause(first)])];
}

function countsText({ outcome, expected }: ProofCase, counts: ProofCounts): string {
  const parts = [plural(Number(counts.requests.total), "request")];
  const of = (value: string, one: string, many?: string): void => void parts.push(plural(Number(value), one, many));
  const due = (type: string | undefined, value: string): boolean => (type ?? NONE) !== NONE || value !== "0";
  of(counts.executions, "execution");
  if (expected.provider !== undefined) of(counts.providerCallsSent, "provider call");
  of(counts.events, "event");
  if (outcome === "made" && due(expected.event, counts.consumers)) of(counts.consumers, "consumer");
  if (due(expected.entry, counts.ledgerEntries)) of(counts.ledgerEntries, "ledger entry", "ledger entries");
  return `${parts.join(", ")}.`;
}
