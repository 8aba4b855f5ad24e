import { and, asc, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { callMany, manyCalls } from "@/db/together/call-many";
import { BATCH_LOCK_TIMEOUT_MS } from "@/db/together/together";
import { allColumns, builder, pick, rowsOf, select, type RowOf } from "@/db/query";
import { providerRequests } from "@/db/schema";

const p = alias(providerRequests, "p");

export interface PrepareProviderInput extends JournalInput {
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
}

/** RECEIVED → LOCAL_PAYMENT_CREATED with the journal row. @returns false when fenced. */
export async function prepareProvider(db: Queryable, input: PrepareProviderInput): Promise<boolean> {
  return (await callScalar<boolean>(db, "prepare_provider", preparationArguments(input))) === true;
}

const PREPARATION_TYPES = {
  tenant: "text",
  operationId: "uuid",
  fence: "integer",
  id: "uuid",
  providerKey: "text",
  provider: "text",
  kind: "text",
  amount: "bigint",
  currency: "text",
} as const;
type PreparationName = keyof typeof PREPARATION_TYPES;
const PREPARATION = manyCalls("prepare_provider", PREPARATION_TYPES);
const PREPARATIONS = {
  ...PREPARATION,
  call: (value: (name: PreparationName) => string) => `(select ${PREPARATION.call(value)} as done)`,
};

function preparationArguments(input: PrepareProviderInput): Record<PreparationName, unknown> {
  const {
    tenantId: tenant,
    operationId,
    fence,
    id,
    providerKey,
    provider,
    kind,
    amountMinor: amount,
    currency,
  } = input;
  return { tenant, operationId, fence, id, providerKey, provider, kind, amount, currency };
}

/** As {@link prepareProvider}, for several operations of one transaction. @returns false when one of them is fenced */
export async function prepareProviderMany(tx: Queryable, inputs: readonly PrepareProviderInput[]): Promise<boolean> {
  const rows = await callMany<{ readonly done: boolean }, PreparationName>(
    tx,
    PREPARATIONS,
    inputs.map(preparationArguments),
    BATCH_LOCK_TIMEOUT_MS,
  );
  return rows.every(({ done }) => done);
}

/** LOCAL_PAYMENT_CREATED → PROVIDER_REQUEST_SENT. @returns false when taken over or past the lease: send nothing. */
export async function markSent(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
  requestId: string,
): Promise<boolean> {
  return (await callScalar<boolean>(db, "mark_sent", [tenantId, operationId, fence, requestId])) === true;
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
  const { tenantId, requestId, outcome, reference, detail } = input;
  await callScalar(db, "answer_provider", [tenantId, requestId, outcome, reference, detail]);
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
  return (await callScalar<boolean>(db, "confirm_provider", [tenantId, operationId, fence])) === true;
}

export interface JournalInput {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly providerKey: string;
  readonly provider: string;
  /** Of a look-up or a repeated call `lookup`, or the kind of what is sent again with the same provider key. */
  readonly kind: string;
  readonly fence: number;
}

/** Journals a look-up or a repeated call as sent, before it is. @returns false when fenced: nothing may be sent. */
export async function journalProviderRequest(db: Queryable, input: JournalInput): Promise<boolean> {
  return (await callScalar<boolean>(db, "journal_provider_request", input)) === true;
}

/** Journals a question about an operation that has ended. @returns false: it is not kept any more, or has not ended */
export async function journalSettledLookUp(
  db: Queryable,
  { tenantId, operationId, id, providerKey, provider }: Omit<JournalInput, "kind" | "fence">,
): Promise<boolean> {
  const asked = [tenantId, operationId, id, providerKey, provider];
  return (await callScalar<boolean>(db, "journal_settled_look_up", asked)) === true;
}

/** Calls of one operation that its page reads, newest look-ups included. */
const CALLS = 200;

export type ProviderCallDbRow = RowOf<typeof selectProviderCalls>;

/** The journal of one operation, oldest first. */
export async function selectProviderCalls(q: Queryable, tenantId: string, operationId: string) {
  const newest = builder
    .select(allColumns(p))
    .from(p)
    .where(and(eq(p.tenantId, tenantId), eq(p.operationId, operationId)))
    .orderBy(sql`${p.kind} = 'lookup'`, desc(p.preparedAt))
    .limit(CALLS)
    .as("p");
  const query = select({
    ...pick(p, "id", "providerKey", "provider", "kind", "state", "fence", "amountMinor", "currency", "outcome"),
    ...pick(p, "providerReference", "detail", "preparedAt", "sentAt", "answeredAt"),
  });
  return rowsOf(q, query.from(newest).orderBy(asc(p.preparedAt), asc(p.id)));
}
