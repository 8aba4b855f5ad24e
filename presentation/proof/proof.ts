import { CHECKS, PROOF_CHECKS } from "../checks/catalogue";
import { formatAmount } from "@/domain/money";
import { NOT_YET, proofCase, unconfirmed, type ProofCase } from "./proof-case";
import { proofCounts, proofIdentities } from "./proof-counts";
import type { ProofFacts } from "@/domain/checks/proof-facts";
import { proofSentence } from "./proof-sentence";
import { PROOF_FORMAT, type ProofClaim, type ProofStatement, type ProofVerdict } from "./proof-statement";
import type { VerdictView } from "../views/common";

export interface ProofIssuer {
  /** Address under which this deployment is reached: origin and base path. */
  readonly deployment: string;
  readonly tenant: string;
}

export interface ComputedProof {
  readonly statement: ProofStatement;
  /** The sentence in its clauses, for the page. */
  readonly verdict: VerdictView;
}

/**
 * The proof of one operation: what was counted beside what is expected, with the rows behind each claim. Nothing
 * is taken for granted that was not among the facts, and what may be gone is never counted as proven.
 */
export function computeProof(facts: ProofFacts, issuer: ProofIssuer): ComputedProof {
  const it = proofCase(facts);
  const claims = PROOF_CHECKS.flatMap((id): ProofClaim[] => {
    const { judge, names } = CHECKS[id].claim;
    const judged = judge(it);
    return judged === undefined ? [] : [{ name: names[0], ...judged }];
  });
  const verdict = verdictOf(it, claims);
  const counts = proofCounts(it);
  const sentence = proofSentence({ it, verdict, claims }, counts);
  return {
    verdict: sentence,
    statement: {
      format: PROOF_FORMAT,
      issuedAt: facts.at,
      ...issuer,
      operationId: facts.request.operationId,
      operation: operationOf(facts),
      verdict,
      sentence: sentence.text,
      ...decisionOf(it),
      counts,
      claims,
      missing: notesOf(claims, "open").filter((note) => note !== NOT_YET),
      notShown: notesOf(claims, "not_shown"),
      identities: proofIdentities(it, verdict !== "open"),
    },
  };
}

function decisionOf({ hand }: ProofCase): Pick<ProofStatement, "settledByHand"> {
  if (hand === undefined) return {};
  const { by, at, decision, evidence, stand: provider, source } = hand;
  const providerSource = source === undefined ? {} : { providerSource: source };
  return { settledByHand: { by, at, decision, evidence, provider, ...providerSource } };
}

/** One claim that fails breaks it; what is open is not proven; what cannot be shown, or nobody but a person says, is not proven either. */
function verdictOf(it: ProofCase, claims: readonly ProofClaim[]): ProofVerdict {
  const has = (status: ProofClaim["status"]): boolean => claims.some((claim) => claim.status === status);
  if (has("fails")) return "broken";
  if (has("open") || it.outcome === "unsettled" || it.outcome === "retryable") return "open";
  return has("not_shown") || unconfirmed(it) ? "partial" : "proven";
}

function notesOf(claims: readonly ProofClaim[], status: ProofClaim["status"]): readonly string[] {
  return [...new Set(claims.filter((claim) => claim.status === status).flatMap((claim) => claim.note ?? []))];
}

function operationOf({ request }: ProofFacts): ProofStatement["operation"] {
  const { money } = request;
  return {
    name: request.operation,
    key: request.key,
    client: request.client,
    state: request.state,
    ...(request.responseStatus !== undefined && { responseStatus: String(request.responseStatus) }),
    ...(request.errorCode !== undefined && { errorCode: request.errorCode }),
    createdAt: request.createdAt,
    ...(request.completedAt !== undefined && { completedAt: request.completedAt }),
    expiresAt: request.expiresAt,
    ...(money !== undefined && { amount: formatAmount(BigInt(money.minor), money.currency), currency: money.currency }),
  };
}
