import type { Queryable } from "@/db/client";
import { namedCall } from "@/db/named-call";
import { iso } from "@/db/sql-text";

export interface PrepareProviderInput {
  readonly tenantId: string;
  readonly operationId: string;
  readonly fence: number;
  readonly id: string;
  readonly providerKey: string;
  readonly provider: string;
  readonly kind: string;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
}

/** RECEIVED → LOCAL_PAYMENT_CREATED with the journal row. @returns false when fenced. */
export async function prepareProvider(db: Queryable, input: PrepareProviderInput): Promise<boolean> {
  const { call, values } = namedCall("prepare_provider", {
    tenant: input.tenantId,
    operation_id: input.operationId,
    fence: input.fence,
    id: input.id,
    provider_key: input.providerKey,
    provider: input.provider,
    kind: input.kind,
    amount: input.amountMinor,
    currency: input.currency,
  });
  const { rows } = await db.query<{ done: boolean }>({
    name: "prepare_provider",
    text: `select ${call} as done`,
    values,
  });
  return rows[0]?.done === true;
}

/** LOCAL_PAYMENT_CREATED → PROVIDER_REQUEST_SENT. @returns false when taken over or past the lease: send nothing. */
export async function markSent(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
  requestId: string,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "mark_sent",
    text: "select onceboard.mark_sent($1,$2,$3,$4) as done",
    values: [tenantId, operationId, fence, requestId],
  });
  return rows[0]?.done === true;
}

export interface ProviderAnswerInput {
  readonly tenantId: string;
  readonly requestId: string;
  readonly outcome: string;
  readonly reference: string | undefined;
  readonly detail: string | undefined;
}

/** Keeps what the provider answered to one journalled call. */
export async function answerProvider(db: Queryable, input: ProviderAnswerInput): Promise<void> {
  await db.query({
    name: "answer_provider",
    text: "select onceboard.answer_provider($1,$2,$3,$4,$5)",
    values: [input.tenantId, input.requestId, input.outcome, input.reference, input.detail],
  });
}

/**
 * Keeps a final answer and moves the operation: PROVIDER_REQUEST_SENT → PROVIDER_CONFIRMED. One commit for both; the answer is
 * kept whoever holds the fence now. The operation's row is locked first, in the order of mark_sent.
 *
 * @returns false when fenced
 */
export async function answerAndConfirmProvider(
  db: Queryable,
  input: ProviderAnswerInput & { readonly operationId: string; readonly fence: number },
): Promise<boolean> {
  const { tenantId, operationId, fence, requestId, outcome, reference, detail } = input;
  const { rows } = await db.query<{ done: boolean }>({
    name: "answer_and_confirm_provider",
    text: "select onceboard.confirm_provider($1,$2,$3) as done, onceboard.answer_provider($1,$4,$5,$6,$7)",
    values: [tenantId, operationId, fence, requestId, outcome, reference, detail],
  });
  return rows[0]?.done === true;
}

/** PROVIDER_REQUEST_SENT → PROVIDER_CONFIRMED. @returns false when fenced. */
export async function confirmProvider(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "confirm_provider",
    text: "select onceboard.confirm_provider($1,$2,$3) as done",
    values: [tenantId, operationId, fence],
  });
  return rows[0]?.done === true;
}

export interface JournalInput {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly providerKey: string;
  readonly provider: string;
  /** `lookup`, or the kind of a call that is sent again with the same provider key. */
  readonly kind: string;
  readonly fence: number;
}

/** Journals a look-up or a repeated call as sent, before it is. @returns false when fenced: nothing may be sent. */
export async function journalProviderRequest(db: Queryable, input: JournalInput): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "journal_provider_request",
    text: "select onceboard.journal_provider_request($1,$2,$3,$4,$5,$6,$7) as done",
    values: [input.tenantId, input.operationId, input.fence, input.id, input.providerKey, input.provider, input.kind],
  });
  return rows[0]?.done === true;
}

/** Calls of one operation that its page reads, newest look-ups included. */
const CALLS = 200;

export interface ProviderCallDbRow {
  readonly id: string;
  readonly provider_key: string;
  readonly provider: string;
  readonly kind: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly fence: number;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly outcome: string | null;
  readonly provider_reference: string | null;
  readonly detail: string | null;
  readonly prepared_at: string;
  readonly sent_at: string | null;
  readonly answered_at: string | null;
}

/** The journal of one operation, oldest first. */
export async function selectProviderCalls(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<ProviderCallDbRow[]> {
  const { rows } = await q.query<ProviderCallDbRow>({
    text: `select p.id, p.provider_key, p.provider, p.kind, p.state, p.fence, p.amount_minor, p.currency, p.outcome, p.provider_reference, p.detail,
  ${iso("p.prepared_at")} as prepared_at, ${iso("p.sent_at")} as sent_at, ${iso("p.answered_at")} as answered_at
from (select * from onceboard.provider_requests where tenant_id = $1 and operation_id = $2
  order by kind = 'lookup', prepared_at desc limit $3) p
order by p.prepared_at, p.id`,
    values: [tenantId, operationId, CALLS],
  });
  return rows;
}
