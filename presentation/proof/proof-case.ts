import { expectedEffects, type ExpectedEffects } from "./proof-expected";
import type { ProofEvent, ProofFacts, ProofGap } from "@/domain/checks/proof-facts";
import type { HandSettlement } from "../views/operations";
import { handSettlementOf, providerStand, type ProviderStand } from "../operation/hand-settlement";
import type { ClaimStatus, ProofClaim, ProofRow } from "./proof-statement";
import { formatExactTime } from "../format/display-time";
import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";

/**
 * What became of the command. `nothing`: it ended without effect and its window is over; `retryable`: no effect so far, the
 * same key may run again, as often as its policy lets it.
 */
export type ProofOutcome = "made" | "refused" | "nothing" | "retryable" | "unsettled";

/** A trace of a settlement; every one of them names the fence of its owner. */
export interface Mark {
  readonly fence: number;
  readonly row: ProofRow;
}

export interface ProofCase {
  readonly facts: ProofFacts;
  readonly outcome: ProofOutcome;
  readonly expected: ExpectedEffects;
  /** Events that an owner's answer made; one is the first answer of the key. */
  readonly executed: readonly ProofEvent[];
  readonly marks: readonly Mark[];
  /** The decision of a person that it rests on, and how the provider stands to it. */
  readonly hand?: (HandSettlement & ProviderStand) | undefined;
  /** Settlements that can be told apart: one when all is well, none before there is any. */
  readonly settlements: number;
}

const SETTLED: ReadonlySet<string | undefined> = new Set(["COMPLETED", "FAILED_REPLAYABLE"]);
const OTHER_PROVIDER = {
  asked: "The provider was asked under one key.",
  acted: "The provider acted once.",
  idle: "The provider did nothing.",
};

export function proofCase(facts: ProofFacts): ProofCase {
  const outcome = outcomeOf(facts);
  const executed = facts.events.rows.filter((event) => event.outcome === "executed");
  const marks = marksOf(facts, outcome, executed);
  const fences = new Set(marks.map((mark) => mark.fence));
  const expected = expectedEffects(facts);
  return {
    facts,
    outcome,
    hand: handOf(facts, outcome),
    expected:
      expected.provider === undefined && facts.calls.rows.length > 0
        ? { ...expected, provider: OTHER_PROVIDER }
        : expected,
    executed,
    marks,
    settlements: Math.max(fences.size, executed.length, facts.answers.rows.length),
  };
}

function handOf({ request, events, calls, inbox }: ProofFacts, outcome: ProofOutcome): ProofCase["hand"] {
  const hand = outcome === "unsettled" ? undefined : handSettlementOf(events.rows, request.fence);
  return hand && { ...hand, ...providerStand(hand.decision, { calls: calls.rows, webhooks: inbox.rows }) };
}

/** It rests on a person's decision, which the provider has not confirmed. */
export function unconfirmed({ hand }: ProofCase): boolean {
  return hand !== undefined && hand.stand !== "confirmed";
}

function outcomeOf({ at, request }: ProofFacts): ProofOutcome {
  switch (request.state) {
    case "COMPLETED":
      return "made";
    case "FAILED_REPLAYABLE":
      return "refused";
    case "FAILED_RETRYABLE":
      return Date.parse(request.expiresAt) <= Date.parse(at) ? "nothing" : "retryable";
    case "EXPIRED":
      return request.responseStatus === undefined ? "nothing" : request.responseStatus < 400 ? "made" : "refused";
    case "IN_PROGRESS":
    case "UNKNOWN_REQUIRES_RECOVERY":
      return "unsettled";
  }
}

function marksOf(facts: ProofFacts, outcome: ProofOutcome, executed: readonly ProofEvent[]): Mark[] {
  const { request, events, answers } = facts;
  const settledBy = events.rows.filter(
    (event) => (event.type === "reconciled" || event.type === "resolved") && SETTLED.has(event.to),
  );
  const { operationId } = request;
  return [
    ...(outcome === "made" || outcome === "refused"
      ? [{ fence: request.fence, row: { table: "idempotency_requests", id: operationId } }]
      : []),
    ...answers.rows.map(({ fence }) => ({ fence, row: { table: "idempotency_bodies", id: operationId } })),
    ...[...executed, ...settledBy].map((event) => ({ fence: event.fence ?? request.fence, row: eventProofRow(event) })),
  ];
}

export function eventProofRow(event: ProofEvent): ProofRow {
  return { table: "idempotency_events", id: event.id };
}

export function proofRowsOf(table: string, rows: readonly { readonly id: string }[]): ProofRow[] {
  return rows.map(({ id }) => ({ table, id }));
}

export function madeRowsOf(rows: readonly { readonly id: string }[]): ProofRow[] {
  return proofRowsOf("effects", rows);
}

/** How a sentence names the rows of a kind that were not seen. */
const KINDS = {
  events: "events of this operation",
  calls: "provider calls of this operation",
  outbox: "published events",
  inbox: "handled messages",
  ledger: "ledger entries of this operation",
  notifications: "notifications of this operation",
} as const;

export function unseen({ facts }: ProofCase, kind: keyof typeof KINDS): string | undefined {
  const { gap } = facts[kind];
  return gap && gapText(KINDS[kind], gap);
}

/** Which rows a proof did not see. */
export interface UnseenRows {
  /** "events of this operation" */
  readonly what: string;
  readonly gap: ProofGap;
}

/** The first that holds. */
export const GAP_CLAIMS: readonly PageClaim<UnseenRows>[] = [
  {
    name: "cut",
    holds: ({ gap }) => gap.kind === "cut",
    words: ({ what, gap }) =>
      `There are more than ${gap.kind === "cut" ? gap.limit.toLocaleString("en-US") : "enough"} ${what}; only the first were looked at.`,
  },
  {
    name: "past their retention",
    holds: ({ gap }) => gap.kind !== "cut",
    words: ({ what, gap }) =>
      `The ${what} from before ${gap.kind === "cut" ? "now" : day(gap.before)} are past their retention and may be gone.`,
  },
];

/** The sentence that says which rows a proof did not see. @param what "events of this operation" */
export function gapText(what: string, gap: ProofGap): string {
  return firstWords(GAP_CLAIMS, { what, gap });
}

function day(text: string): string {
  return text.length <= 10 ? text : formatExactTime(text, "utc");
}

/** What else there is to know beside a claim, as one text; undefined without any. */
export function remark<Facts>(notes: readonly PageClaim<Facts>[], facts: Facts): string | undefined {
  return claimWords(notes, facts).join(" ") || undefined;
}

/** Note of claims that depend on an outcome that is not known yet. */
export const NOT_YET = "Depends on the outcome.";

/** A claim; without a name it stands under the first one of its check. @see CHECKS */
export type Judgement = Omit<ProofClaim, "name"> & { readonly name?: string };

export interface Count {
  /** Where a check has several, by what became of the operation. */
  readonly name?: string;
  readonly text: string;
  readonly expected: number;
  readonly counted: number;
  readonly rows: readonly ProofRow[];
  /** "ledger entry", "ledger entries": for the sentence of a failure. */
  readonly thing: readonly [one: string, many: string];
  readonly unseen?: string | undefined;
  /** What the count waits for, when it is below what is expected. */
  readonly waits?: string | undefined;
  /** Said instead of "2 entries where 1 belongs". */
  readonly failure?: string | undefined;
  readonly remark?: string | undefined;
}

/** More than expected always fails, fewer fails unless something is awaited, and rows that were not seen prove nothing. */
export function claimOfCount(count: Count): Judgement {
  const { name, text, expected, counted, rows } = count;
  const judged = (status: ClaimStatus, note: string | undefined): Judgement => ({
    ...(name !== undefined && { name }),
    text,
    expected: String(expected),
    counted: String(counted),
    rows,
    status,
    ...(note !== undefined && { note }),
  });
  if (counted > expected) return judged("fails", firstWords(FAILURE_CLAIMS, count));
  if (count.waits !== undefined) return judged("open", count.waits);
  if (count.unseen !== undefined) return judged("not_shown", count.unseen);
  if (counted < expected) return judged("fails", firstWords(FAILURE_CLAIMS, count));
  return judged("holds", count.remark);
}

/** Why a count fails where nothing else is known: the first that holds. */
export const FAILURE_CLAIMS: readonly PageClaim<Count>[] = [
  {
    name: "known cause",
    holds: ({ failure }) => failure !== undefined,
    words: ({ failure = "" }) => failure,
  },
  {
    name: "other count",
    holds: ({ counted, expected }) => counted !== expected,
    words: ({ counted, expected, thing: [one, many] }) =>
      `${String(counted)} ${counted === 1 ? one : many} where ${String(expected)} ${expected === 1 ? "belongs" : "belong"}.`,
  },
];
