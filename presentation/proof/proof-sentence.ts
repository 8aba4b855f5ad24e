import { holding, type PageClaim } from "@/domain/page-claim";
import { confirmedText, unconfirmedText } from "../operation/hand-settlement";
import { clause, verdictOf } from "../operation/verdict";
import type { VerdictClause, VerdictView } from "../views/common";
import { plural } from "../format/words";
import { type ProofCase, unconfirmed } from "./proof-case";
import { NONE } from "@/domain/operation-kind";
import { NO_WORD, personDecided, providerEffects } from "./proof-provider";
import type { ProofClaim, ProofCounts, ProofVerdict } from "./proof-statement";

/** Failures in the sentence; the table has all of them. */
const FAILURES_NAMED = 3;

/** What the sentence of a proof is judged by: the rows, and what became of each claim about them. */
export interface ProofJudged {
  readonly it: ProofCase;
  readonly verdict: ProofVerdict;
  readonly claims: readonly ProofClaim[];
}

interface SentenceClaim extends PageClaim<ProofJudged> {
  readonly tone?: VerdictClause["tone"] | ((judged: ProofJudged) => VerdictClause["tone"]);
}

type Holds = SentenceClaim["holds"];

const claim = (
  name: string,
  holds: Holds,
  words: (judged: ProofJudged) => string,
  tone?: SentenceClaim["tone"],
): SentenceClaim => ({ name, holds, words, ...(tone !== undefined && { tone }) });

const isOver: Holds = ({ it }) => it.outcome !== "unsettled" && it.outcome !== "retryable";
const broken: Holds = ({ verdict }) => verdict === "broken";
const open: Holds = ({ verdict }) => verdict === "open";
const outcomeIs =
  (outcome: ProofCase["outcome"]): Holds =>
  ({ it }) =>
    it.outcome === outcome;
const borneOut: Holds = (judged) => !broken(judged) && !unconfirmed(judged.it);
const notes = (claims: readonly ProofClaim[], status: ProofClaim["status"]): string[] => [
  ...new Set(claims.filter((each) => each.status === status).flatMap((each) => each.note ?? [])),
];
/** What is not shown for another reason than that only a person says it. */
const gone: Holds = ({ it, claims }) =>
  notes(claims, "not_shown").some(
    (note) => note !== NO_WORD && note !== personDecided(it, it.hand?.decision ?? "succeeded"),
  );
/** It ended without effect by our rows, and no word of the provider that was seen bears it out. */
const idleNotShown: Holds = ({ claims }) =>
  claims.some(({ name, status }) => name === "provider_did_nothing" && status === "not_shown");
const endedIdle: Holds = (judged) =>
  borneOut(judged) && judged.it.outcome !== "made" && judged.it.outcome !== "unsettled";

/** In the order in which they stand. */
export const PROOF_SENTENCES: readonly SentenceClaim[] = [
  claim("proof_failed", broken, () => "Proof failed.", "broken"),
  claim(
    "failures",
    (judged) => broken(judged) && notes(judged.claims, "fails").length > 0,
    ({ claims }) => notes(claims, "fails").slice(0, FAILURES_NAMED).join(" "),
    "broken",
  ),
  claim(
    "happened_once",
    (judged) => borneOut(judged) && outcomeIs("made")(judged),
    ({ it }) => it.expected.once,
  ),
  claim(
    "nothing_happened",
    (judged) => endedIdle(judged) && !idleNotShown(judged),
    ({ it }) => it.expected.none,
  ),
  claim(
    "nothing_not_shown",
    (judged) => endedIdle(judged) && idleNotShown(judged),
    ({ claims }) => claims.find(({ name }) => name === "provider_did_nothing")?.note ?? "",
    "doubt",
  ),
  claim(
    "settled_by_hand",
    ({ it }) => unconfirmed(it),
    ({ it: { hand } }) => (hand === undefined ? "" : unconfirmedText(hand, hand.stand)),
    ({ it }) => (it.hand?.stand === "contradicts it" ? "broken" : "doubt"),
  ),
  claim(
    "hand_confirmed",
    ({ it }) => it.hand !== undefined && !unconfirmed(it),
    ({ it }) => confirmedText(it.hand?.source ?? "answer"),
  ),
  claim(
    "refusal_is_final",
    (judged) => !broken(judged) && outcomeIs("refused")(judged),
    () => "The refusal is final.",
  ),
  claim(
    "key_expired",
    (judged) => !broken(judged) && outcomeIs("nothing")(judged),
    () => "The key has expired.",
  ),
  claim(
    "key_given_on",
    ({ it }) => it.facts.request.setAside === true,
    () => "Its key was given to a later operation.",
    "doubt",
  ),
  claim(
    "not_settled",
    (judged) => open(judged) && outcomeIs("unsettled")(judged),
    () => "Not settled yet.",
    "doubt",
  ),
  claim(
    "in_doubt",
    (judged) => open(judged) && outcomeIs("unsettled")(judged) && providerEffects(judged.it) === 0,
    ({ it }) => it.expected.doubt,
    "doubt",
  ),
  claim(
    "provider_acted",
    (judged) => open(judged) && outcomeIs("unsettled")(judged) && providerEffects(judged.it) > 0,
    () => "The provider says that it acted.",
    "doubt",
  ),
  claim(
    "may_run_again",
    (judged) => open(judged) && outcomeIs("retryable")(judged),
    () => "Not settled yet: the same key may run again, as often as its policy lets it.",
    "doubt",
  ),
  claim(
    "not_finished",
    (judged) => open(judged) && isOver(judged),
    () => "Not finished yet.",
    "doubt",
  ),
  claim(
    "waits_for",
    (judged) => open(judged) && isOver(judged) && notes(judged.claims, "open").length > 0,
    ({ claims }) => notes(claims, "open")[0] ?? "",
  ),
  claim(
    "not_all_shown",
    (judged) => judged.verdict === "partial" && gone(judged),
    () => "Not all of it can still be shown.",
    "doubt",
  ),
];

/** "Money moved once. 7 requests, 1 execution, 1 provider call, 1 event, 1 consumer, 1 ledger entry." */
export function proofSentence(judged: ProofJudged, counts: ProofCounts): VerdictView {
  const head = holding(PROOF_SENTENCES, judged).map(({ words, tone }) =>
    clause(words(judged), typeof tone === "function" ? tone(judged) : tone),
  );
  return verdictOf([...head, clause(countsText(judged.it, counts))]);
}

function countsText(it: ProofCase, counts: ProofCounts): string {
  const { outcome, expected, hand } = it;
  const parts = [plural(Number(counts.requests.total), "request")];
  const of = (value: string, one: string, many?: string): void => void parts.push(plural(Number(value), one, many));
  const due = (type: string | undefined, value: string): boolean => (type ?? NONE) !== NONE || value !== "0";
  if (!unconfirmed(it) || counts.executions !== "0") of(counts.executions, "execution");
  if (hand !== undefined) of(counts.settledByHand, "settlement by hand", "settlements by hand");
  if (expected.provider !== undefined) of(counts.providerCallsSent, "provider call");
  of(counts.events, "event");
  if (outcome === "made" && due(expected.event, counts.consumers)) of(counts.consumers, "consumer");
  if (due(expected.entry, counts.ledgerEntries)) of(counts.ledgerEntries, "ledger entry", "ledger entries");
  return `${parts.join(", ")}.`;
}
