import type { Queryable } from "@/db/client";
import { textRows, timeTextOf } from "@/db/query";
import type { AnswerOutcome, InboxState } from "@/domain/idempotency/states";

/** An operation whose rows are read, from the day it began. */
export interface PartsOf {
  readonly operationId: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

interface ReferenceRequestRow {
  readonly operationId: string;
  readonly id: string;
  readonly at: string;
  readonly outcome: AnswerOutcome;
  readonly client?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly differingFields?: unknown;
}

/** The first answers of each operation. Of a refused command the names of the fields that differ, never their values. */
export function selectFirstAnswers(q: Queryable, tenantId: string, of: readonly PartsOf[], limit: number) {
  return textRows<ReferenceRequestRow>(
    q,
    `select e.* from unnest($2::uuid[], $3::timestamptz[]) k(id, since) cross join lateral (
       select e.operation_id, e.id, ${timeTextOf("e.at")} as at, e.outcome, e.client, e.status, e.code, e.detail -> 'differingFields' as differing_fields
       from onceboard.idempotency_events e
       where e.tenant_id = $1 and e.operation_id = k.id and e.day >= (k.since at time zone 'utc')::date and e.outcome is not null
       order by e.at, e.id limit $4) e`,
    [tenantId, of.map(({ operationId }) => operationId), of.map(({ createdAt }) => createdAt), limit],
  );
}

interface ReferenceCallRow {
  readonly operationId: string;
  readonly id: string;
  readonly kind: string;
  readonly provider: string;
  readonly providerKey: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly outcome?: string | undefined;
  readonly reference?: string | undefined;
  readonly preparedAt: string;
  readonly sentAt?: string | undefined;
  readonly answeredAt?: string | undefined;
}

/** The provider's journal of each operation: what was sent first, then the newest look-ups. */
export function selectCallsOf(q: Queryable, tenantId: string, of: readonly PartsOf[], limit: number) {
  return textRows<ReferenceCallRow>(
    q,
    `select p.* from unnest($2::uuid[]) k(id) cross join lateral (
       select p.operation_id, p.id, p.kind, p.provider, p.provider_key, p.state, p.outcome, p.provider_reference as reference,
         ${timeTextOf("p.prepared_at")} as prepared_at, ${timeTextOf("p.sent_at")} as sent_at, ${timeTextOf("p.answered_at")} as answered_at
       from onceboard.provider_requests p where p.tenant_id = $1 and p.operation_id = k.id
       order by p.kind = 'lookup', p.prepared_at desc limit $3) p
     order by p.prepared_at, p.id`,
    [tenantId, idsOf(of), limit],
  );
}

export interface ReferenceWebhookRow {
  readonly id: string;
  readonly operationId: string;
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly state: InboxState;
  readonly payload: unknown;
  readonly sealed: boolean;
  readonly providerKey?: string | undefined;
  readonly providerStatus?: string | undefined;
  readonly receivedAt: string;
  readonly duplicates: number;
}

/** What came in about each operation, first come first; our own events are among it. */
export function selectInboxOf(q: Queryable, tenantId: string, of: readonly PartsOf[], limit: number) {
  return textRows<ReferenceWebhookRow>(
    q,
    `select m.* from unnest($2::uuid[]) k(id) cross join lateral (
       select m.id, m.operation_id, m.source, m.message_id, m.type, m.state, m.payload, m.document_hash is not null as sealed,
         m.provider_key, m.provider_status, m.duplicates, ${timeTextOf("m.received_at")} as received_at
       from onceboard.inbox_messages m where m.tenant_id = $1 and m.operation_id = k.id and m.source <> 'onceboard'
       order by m.received_at, m.id limit $3) m`,
    [tenantId, idsOf(of), limit],
  );
}

/** When copies of these messages came. */
export function selectDuplicatesOf(q: Queryable, tenantId: string, inboxIds: readonly string[], limit: number) {
  return textRows<{ readonly inboxId: string; readonly id: string; readonly at: string }>(
    q,
    `select a.* from unnest($2::uuid[]) k(id) cross join lateral (
       select a.inbox_id, a.id, ${timeTextOf("a.at")} as at from onceboard.inbox_arrivals a
       where a.tenant_id = $1 and a.inbox_id = k.id and a.outcome <> 'recorded' order by a.at limit $3) a`,
    [tenantId, inboxIds, limit],
  );
}

interface ReferenceLedgerRow {
  readonly id: string;
  readonly operationId: string;
  readonly entryType: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly postedAt: string;
}

/** Entries of each operation. One entry moves its amount from an account to another, so the ledger balances by itself. */
export function selectLedgerOf(q: Queryable, tenantId: string, of: readonly PartsOf[], limit: number) {
  return textRows<ReferenceLedgerRow>(
    q,
    `select l.* from unnest($2::uuid[]) k(id) cross join lateral (
       select l.id, l.operation_id, l.kind as entry_type, l.amount_minor, l.currency, ${timeTextOf("l.posted_at")} as posted_at
       from onceboard.entries l where l.tenant_id = $1 and l.operation_id = k.id limit $3) l
     order by l.posted_at, l.id`,
    [tenantId, idsOf(of), limit],
  );
}

/** How a person settled each operation, by the audit: the newest decision that settled it. */
export function selectDecisionsOf(q: Queryable, tenantId: string, of: readonly PartsOf[]) {
  return textRows<{ readonly operationId: string; readonly decision: string }>(
    q,
    `select k.id as operation_id, a.decision from unnest($2::uuid[]) k(id) cross join lateral (
       select a.evidence ->> 'decision' as decision from onceboard.audit_entries a
       where a.tenant_id = $1 and a.subject_type = 'operation' and a.subject_id = k.id::text and a.action = 'operations.resolve'
         and a.evidence ->> 'decision' in ('succeeded', 'failed')
       order by a.sequence desc limit 1) a`,
    [tenantId, idsOf(of)],
  );
}

function idsOf(of: readonly PartsOf[]): string[] {
  return of.map(({ operationId }) => operationId);
}
