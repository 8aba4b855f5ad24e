import { PROOF_CALLS, PROOF_ROWS } from "@/db/checks/select-proof-effects";
import { PROOF_EVENTS } from "@/db/checks/select-proof-events";
import { PROOF_MESSAGES, type ProofArrivalRow } from "@/db/checks/select-proof-messages";
import { originalKey } from "@/domain/idempotency/idempotency-key";
import type {
  ProofAnswer,
  ProofArrival,
  ProofFacts,
  ProofGap,
  ProofMoney,
  ProofOpen,
  ProofRequest,
  ProofRows,
} from "@/presentation/proof/proof-facts";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import type { ProofSnapshot } from "./snapshot";

const DAY_MS = 86_400_000;
const SAYS: Readonly<Record<string, ProofArrival["says"]>> = {
  succeeded: "succeeded",
  declined: "failed",
  failed: "failed",
  processing: "processing",
  pending: "processing",
};

/**
 * Rows of the database as facts of a proof, with what may be missing of them.
 * @param metadataTtlDays after which handled inbox messages are deleted
 */
export function proofFacts(
  snapshot: ProofSnapshot,
  answers: readonly ProofAnswer[],
  metadataTtlDays: number,
): ProofFacts {
  const { request, horizon } = snapshot;
  const { at, created_at: created } = request;
  const oldest = (day: string | undefined): ProofGap | undefined =>
    day === undefined || created.slice(0, 10) < day ? { kind: "purged", before: day ?? at } : undefined;
  return {
    at,
    request: requestOf(snapshot),
    open: openOf(snapshot),
    holders: snapshot.holders,
    answers: { rows: answers, gap: oldest(horizon.idempotency_bodies) },
    events: limited(eventsOf(snapshot), PROOF_EVENTS, oldest(horizon.idempotency_events)),
    calls: limited(callsOf(snapshot), PROOF_CALLS),
    made: limited(madeOf(snapshot), PROOF_ROWS),
    outbox: limited(snapshot.outbox, PROOF_MESSAGES, oldest(horizon.outbox_history)),
    inbox: limited(snapshot.inbox.map(arrivalOf), PROOF_MESSAGES, inboxGap(created, at, metadataTtlDays)),
    ledger: limited(entriesOf(snapshot), PROOF_ROWS),
    notifications: limited(
      snapshot.notifications.map(({ id, notification_key: key, kind, state }) => ({ id, key, kind, state })),
      PROOF_ROWS,
    ),
  };
}

/** One row more than the limit was asked for: it says that there are more. */
function limited<Row>(rows: readonly Row[], limit: number, gap?: ProofGap): ProofRows<Row> {
  return rows.length > limit ? { rows: rows.slice(0, limit), gap: { kind: "cut", limit } } : { rows, gap };
}

function inboxGap(created: string, at: string, metadataTtlDays: number): ProofGap | undefined {
  const before = new Date(Date.parse(at) - metadataTtlDays * DAY_MS).toISOString();
  return Date.parse(created) <= Date.parse(before) ? { kind: "purged", before } : undefined;
}

function money(minor: bigint | null, currency: string | null): ProofMoney | undefined {
  return minor === null || currency === null ? undefined : { minor: minor.toString(), currency };
}

function requestOf({ request: row }: ProofSnapshot): ProofRequest {
  return {
    operationId: row.operation_id,
    operation: row.operation,
    key: originalKey(row.key, row.operation_id),
    client: row.client,
    state: row.state,
    fence: row.fence,
    responseStatus: row.response_status ?? undefined,
    errorCode: row.error_code ?? undefined,
    resourceType: row.resource_type ?? undefined,
    resourceId: row.resource_id ?? undefined,
    replay: row.replay,
    account: row.account_id ?? undefined,
    reference: row.reference ?? undefined,
    money: money(row.amount_minor, row.currency),
    createdAt: row.created_at,
    completedAt: row.completed_at ?? undefined,
    expiresAt: row.expires_at,
    bodyPurgedAt: row.body_purged_at ?? undefined,
  };
}

function openOf({ request: row }: ProofSnapshot): ProofOpen | undefined {
  if (row.stage === null) return undefined;
  return {
    stage: row.stage,
    lockedUntil: row.locked_until ?? undefined,
    unknownSince: row.unknown_since ?? undefined,
    providerKey: row.provider_key ?? undefined,
  };
}

function eventsOf({ events }: ProofSnapshot): ProofFacts["events"]["rows"] {
  return events.map((row) => ({
    id: row.id,
    type: row.type,
    outcome: row.outcome ?? undefined,
    requestId: row.request_id ?? undefined,
    fence: row.fence ?? undefined,
    servedHash: row.served_hash ?? undefined,
    to: row.to ?? undefined,
    actor: row.actor ?? undefined,
  }));
}

function callsOf({ calls }: ProofSnapshot): ProofFacts["calls"]["rows"] {
  return calls.map((row) => ({
    id: row.id,
    kind: row.kind,
    providerKey: row.provider_key,
    state: row.state,
    outcome: row.outcome ?? undefined,
    reference: row.provider_reference ?? undefined,
    money: money(row.amount_minor, row.currency),
  }));
}

function madeOf({ made }: ProofSnapshot): ProofFacts["made"]["rows"] {
  return made.map((row) => ({
    table: row.table,
    id: row.id,
    status: row.status ?? undefined,
    account: row.account ?? undefined,
    reference: row.reference ?? undefined,
    money: money(row.amount_minor, row.currency),
    providerKey: row.provider_key ?? undefined,
    providerReference: row.provider_reference ?? undefined,
  }));
}

function arrivalOf(row: ProofArrivalRow): ProofArrival {
  return {
    id: row.id,
    consumer: row.consumer,
    own: row.source === OWN_SOURCE,
    messageId: row.message_id,
    state: row.state,
    attempts: row.attempts,
    duplicates: row.duplicates,
    mismatches: row.mismatches,
    says: row.says === null ? undefined : SAYS[row.says],
    providerKey: row.provider_key ?? undefined,
  };
}

function entriesOf({ ledger }: ProofSnapshot): ProofFacts["ledger"]["rows"] {
  return ledger.map((row) => ({
    id: row.id,
    entryType: row.entry_type,
    sourceId: row.source_id,
    operationId: row.operation_id,
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    money: { minor: row.amount_minor.toString(), currency: row.currency },
  }));
}
