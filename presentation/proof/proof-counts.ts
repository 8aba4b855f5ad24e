import { ownArrivals } from "./proof-effects";
import { isLeft } from "@/domain/operation-kind";
import { REFERENCE_BY_HAND } from "@/domain/idempotency/provider-capabilities";
import type { ProofCall, ProofEvent } from "@/domain/checks/proof-facts";
import { type ProofCase, unconfirmed } from "./proof-case";
import { effectCallsOf, providerEffects, sentCallsOf } from "./proof-provider";
import type { ProofCounts, ProofIdentity, ProofRequestCounts } from "./proof-statement";
import type { AnswerOutcome } from "@/domain/idempotency/states";

export function proofCounts(it: ProofCase): ProofCounts {
  const { facts } = it;
  const ofType = (...types: string[]): number => facts.events.rows.filter(({ type }) => types.includes(type)).length;
  const own = ownArrivals(it);
  const sum = (values: readonly number[]): string => String(values.reduce((total, value) => total + value, 0));
  return {
    requests: requestCounts(it),
    executions: String(executionsOf(it)),
    settledByHand: it.hand === undefined ? "0" : "1",
    owners: String(Math.max(1, ofType("claimed", "taken_over"))),
    takeovers: String(ofType("taken_over")),
    fencedWrites: String(ofType("fenced")),
    providerCallsSent: String(sentCallsOf(it).length),
    providerCallsAnswered: String(effectCallsOf(it).filter(isAnswered).length),
    providerEffects: String(providerEffects(it)),
    lookUps: String(facts.calls.rows.length - effectCallsOf(it).length),
    webhooks: String(facts.inbox.rows.filter((row) => !row.own).length),
    events: String(facts.outbox.rows.length),
    deliveries: sum(facts.outbox.rows.map((row) => row.attempts)),
    consumers: String(new Set(own.map((row) => row.consumer)).size),
    duplicateArrivals: sum(own.map((row) => row.duplicates)),
    ledgerEntries: String(facts.ledger.rows.length),
    notifications: String(facts.notifications.rows.length),
  };
}

/** What an answer of ours or of the provider bears out: a refusal is none, and neither is a decision that nobody confirmed. */
function executionsOf(it: ProofCase): number {
  const none = it.outcome === "refused" || unconfirmed(it);
  return none ? Math.max(0, it.settlements - 1) : it.settlements;
}

/** Ends of a call in which the provider said nothing of the effect. */
const SILENT: ReadonlySet<string | undefined> = new Set([undefined, "indefinite", "unreachable"]);
const isAnswered = ({ state, outcome }: ProofCall): boolean => state === "answered" && !SILENT.has(outcome);

/** Outcomes of requests that started an attempt. */
const STARTED: ReadonlySet<AnswerOutcome | undefined> = new Set(["executed", "unknown", "failed"]);

function requestCounts({ facts }: ProofCase): ProofRequestCounts {
  const answered = facts.events.rows.filter((event) => event.outcome !== undefined);
  // A service that speaks SQL only may name no request: then the attempt's own answer is its.
  const hasAnswer = ({ requestId, fence }: ProofEvent): boolean =>
    answered.some((event) =>
      requestId === undefined ? STARTED.has(event.outcome) && event.fence === fence : event.requestId === requestId,
    );
  const unanswered = facts.events.rows.filter((event) => event.type === "claimed" && !hasAnswer(event)).length;
  const of = (outcome: AnswerOutcome): string => String(answered.filter((event) => event.outcome === outcome).length);
  return {
    total: String(answered.length + unanswered),
    executed: of("executed"),
    replayed: of("replayed"),
    conflict: of("conflict"),
    inProgress: of("in_progress"),
    unknown: of("unknown"),
    expiredRetry: of("expired_retry"),
    failed: of("failed"),
    unanswered: String(unanswered),
  };
}

/** Every name that is the same on each attempt and each recovery. @param finished nothing more is to come */
export function proofIdentities(it: ProofCase, finished: boolean): readonly ProofIdentity[] {
  const { facts, expected, outcome } = it;
  const named = (name: string, values: readonly string[]): ProofIdentity[] => {
    const different = [...new Set(values)];
    if (different.length > 0) return different.map((value) => ({ name, value }));
    return [{ name, none: finished || outcome === "refused" || outcome === "nothing" ? "none" : "none yet" }];
  };
  const { request, made, calls, outbox, ledger, notifications } = facts;
  const names: ProofIdentity[] = [
    { name: "Client key", value: request.key },
    { name: "Operation", value: request.operationId },
  ];
  if (expected.effect !== undefined) names.push(...named(expected.effect.label, idsOf(made.rows)));
  if (expected.provider !== undefined) {
    const rows = [...calls.rows, ...made.rows];
    const references = [...calls.rows.map((call) => call.reference), ...made.rows.map((row) => row.providerReference)];
    const known = references.flatMap((reference) => (reference === REFERENCE_BY_HAND ? [] : (reference ?? [])));
    names.push(
      ...named(
        "Provider key",
        rows.flatMap((row) => row.providerKey ?? []),
      ),
      ...(it.hand !== undefined && known.length === 0
        ? [{ name: "Provider reference", none: "none, settled by hand" }]
        : named("Provider reference", known)),
    );
  }
  names.push(...named("Event", idsOf(outbox.rows)));
  if (isLeft(expected.entry) || ledger.rows.length > 0) names.push(...named("Ledger entry", idsOf(ledger.rows)));
  const receipts = notifications.rows.map((row) => row.key);
  if (expected.money !== undefined || receipts.length > 0) names.push(...named("Receipt key", receipts));
  return names;
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map((row) => row.id);
}
