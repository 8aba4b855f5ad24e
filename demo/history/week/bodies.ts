import { createHash } from "node:crypto";
import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import { canonicalCommand, type CanonicalFields } from "@/domain/idempotency/canonical";
import { PAYLOAD_HASH_CHARS } from "@/domain/idempotency/fingerprint-rules";
import { operationUrn, problemDocument } from "@/domain/idempotency/problem";
import { formatAmount } from "@/domain/money";
import type { BodyKeyring } from "@/engine/bodies/body-keyring";
import { partitionOf } from "../partitions";
import { SEED_API_VERSION } from "../operation-rows";

/** How bodies of a history are kept. */
export interface HistoryBodies {
  readonly keyring: BodyKeyring;
  /** As the deployment keeps them. */
  readonly hours: number;
}

/** Sealed and written by one statement. */
const BATCH = 2_000;
/** What the cart of the second command cost more, minor units at the least. */
const OTHER_CART = 350n;

interface KeptRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  readonly state: string;
  readonly fence: number;
  readonly at: Date;
  readonly done_at: Date;
  readonly about_at: Date;
  readonly client: string;
  readonly account_id: string;
  readonly own_account: string;
  readonly currency: string;
  readonly amount_minor: bigint | null;
  readonly amount_of_payment: bigint;
  readonly effect_id: string;
  readonly payment_id: string;
  readonly payment_reference: string;
  readonly insufficient: boolean;
}

const COLUMNS = `operation_id, operation, key, state, fence, at, done_at, about_at, client, account_id, 'acc_s' || n as own_account, currency, amount_minor, amount_of_payment,
  effect_id, payment_id, payment_reference, roll < 150 as insufficient`;
const KEPT = `select ${COLUMNS} from seed_rows where kept and operation_id > $1 order by operation_id limit ${String(BATCH)}`;
const HASHES = `update seed_rows r set command_hash = h.command, body_hash = coalesce(h.response, r.body_hash)
from unnest($1::uuid[], $2::bytea[], $3::bytea[]) h(id, command, response) where r.operation_id = h.id`;
const CONFLICTS = `select e.id, e.detail ->> 'differingFields' as differing, r.* from onceboard.idempotency_events e
join (select ${COLUMNS} from seed_rows where kept) r using (operation_id) where e.tenant_id = $1 and e.type = 'conflict' and e.day = $2`;

/** Seals the commands and the answers of a day that are not past their time, before anything else of the day is written. */
export async function keepBodies(
  tx: Queryable,
  tenantId: string,
  day: string,
  { keyring }: HistoryBodies,
): Promise<void> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
    const { rows } = await tx.query<KeptRow>({ text: KEPT, values: [after] });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.operation_id;
    const sealed = await Promise.all(rows.map((row) => sealRow(keyring, tenantId, row)));
    const bodies = sealed.flatMap((one) => one.bodies);
    await tx.query({
      text: `insert into onceboard.${partitionOf("idempotency_bodies", day)} (tenant_id, day, operation_id, kind, fence, headers, body, created_at)
select $1, $2::date, b.* from unnest($3::uuid[], $4::text[], $5::integer[], $6::jsonb[], $7::bytea[], $8::timestamptz[]) b`,
      values: [
        ...[
          tenantId,
          day,
          bodies.map(({ id }) => id),
          bodies.map(({ kind }) => kind),
          bodies.map(({ fence }) => fence),
        ],
        ...[bodies.map(({ headers }) => headers), bodies.map(({ body }) => body), bodies.map(({ at }) => at)],
      ],
    });
    await tx.query({
      text: HASHES,
      values: [
        sealed.map(({ id }) => id),
        sealed.map(({ command }) => command),
        sealed.map(({ response }) => response),
      ],
    });
  }
}

async function sealRow(keyring: BodyKeyring, tenantId: string, row: KeptRow) {
  const { operation_id: id, operation, key, fence } = row;
  const subject = { tenantId, operation, key, operationId: id };
  const text = commandText(row, fieldsOf(row));
  const command = await keyring.seal(Buffer.from(text), subject, "command");
  const answer = answerOf(row);
  const first = { id, kind: "command", fence: 1, headers: null, body: command, at: row.at };
  const kept = answer && {
    ...{ id, kind: "response", fence, headers: JSON.stringify(answer.headers), at: row.done_at },
    body: await keyring.seal(answer.body, subject, "response"),
  };
  return {
    id,
    bodies: kept === undefined ? [first] : [first, kept],
    command: await keyring.fingerprint(tenantId, text),
    response: answer === undefined ? null : createHash("sha256").update(answer.body).digest(),
  };
}

/** Seals beside each conflict of the day the command that was refused: a cart of another amount, or another reference. */
export async function keepOtherCommands(
  tx: Queryable,
  tenantId: string,
  day: string,
  { keyring }: HistoryBodies,
): Promise<void> {
  const { rows } = await tx.query<KeptRow & { readonly id: string; readonly differing: string }>({
    text: CONFLICTS,
    values: [tenantId, day],
  });
  const sealed = await Promise.all(
    rows.map(async (row) => {
      const { operation_id: operationId, operation, key } = row;
      const text = commandText(row, otherFields(row, row.differing.includes("amount")));
      const hash = await keyring.fingerprint(tenantId, text);
      const subject = { tenantId, operation, key, operationId };
      const command = await keyring.seal(Buffer.from(text), subject, `conflict:${row.id}`);
      return { id: row.id, command, hash: hash.toString("hex").slice(0, PAYLOAD_HASH_CHARS) };
    }),
  );
  await tx.query({
    text: `update onceboard.idempotency_events e set command = c.command, detail = jsonb_set(e.detail, '{payloadHash}', to_jsonb(c.hash))
from unnest($3::uuid[], $4::bytea[], $5::text[]) c(id, command, hash) where e.tenant_id = $1 and e.day = $2 and e.id = c.id`,
    values: [
      ...[tenantId, day, sealed.map(({ id }) => id), sealed.map(({ command }) => command)],
      sealed.map(({ hash }) => hash),
    ],
  });
}

function commandText({ operation }: KeptRow, fields: CanonicalFields): string {
  return canonicalCommand({ operation, apiVersion: SEED_API_VERSION, fields });
}

function amountOf({ amount_minor, currency }: Pick<KeptRow, "amount_minor" | "currency">): string {
  return formatAmount(amount_minor ?? 0n, currency);
}

function channelOf(client: string): string {
  return client.startsWith("till") ? "pos" : "web";
}

function fieldsOf(row: KeptRow): CanonicalFields {
  const { currency, payment_id: paymentId } = row;
  switch (row.operation) {
    case "refunds.create":
      return { paymentId, amount: amountOf(row), currency, reason: "damaged" };
    case "payments.void":
      return { paymentId };
    case "accounts.create":
      return { accountId: row.own_account, currency };
    default: {
      const { account_id: accountId, payment_reference: merchantReference } = row;
      return { accountId, amount: amountOf(row), currency, merchantReference, channel: channelOf(row.client) };
    }
  }
}

/** The second command of a key: the next cart, or the same cart under another reference. */
function otherFields(row: KeptRow, byAmount: boolean): CanonicalFields {
  const fields = fieldsOf(row);
  if (!byAmount) return { ...fields, merchantReference: `${row.payment_reference}-2` };
  const minor = row.amount_minor ?? 0n;
  return { ...fields, amount: formatAmount(minor + OTHER_CART + (minor % 17n) * 125n, row.currency) };
}

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** As the product answers. @returns undefined: nothing is kept of a failure that a retry may heal */
function answerOf(row: KeptRow): Answer | undefined {
  if (row.state === "FAILED_RETRYABLE") return undefined;
  if (row.state === "FAILED_REPLAYABLE") {
    const error = row.insufficient
      ? new AppError("payment.insufficient_funds", 402, "The account has insufficient funds")
      : new AppError("payment.duplicate_reference", 409, "This merchant reference has a payment already");
    const { operation_id: operationId } = row;
    const document = problemDocument(error, operationUrn(operationId), { operationId });
    return { headers: { "content-type": "application/problem+json" }, body: Buffer.from(JSON.stringify(document)) };
  }
  const { path, view } = made(row);
  const location = `/api/v1/${path}`;
  return { headers: { "content-type": "application/json", location }, body: Buffer.from(JSON.stringify(view)) };
}

function made(row: KeptRow): { readonly path: string; readonly view: object } {
  const { effect_id: id, currency } = row;
  const createdAt = row.at.toISOString();
  switch (row.operation) {
    case "refunds.create": {
      const facts = { refundId: id, paymentId: row.payment_id, amount: amountOf(row), currency };
      return { path: `refunds/${id}`, view: { ...facts, status: "succeeded", reason: "damaged", createdAt } };
    }
    case "payments.void":
      return {
        path: `payments/${row.payment_id}`,
        view: { ...paymentOf(row, row.payment_id, "voided", row.about_at), voidId: id },
      };
    case "accounts.create": {
      const { own_account: accountId } = row;
      return { path: `accounts/${accountId}`, view: { accountId, currency, defaultCurrency: currency, createdAt } };
    }
    default:
      return { path: `payments/${id}`, view: paymentOf(row, id, "succeeded", row.at) };
  }
}

function paymentOf(row: KeptRow, paymentId: string, status: string, created: Date): object {
  const { account_id: accountId, currency, payment_reference: merchantReference } = row;
  const amount = formatAmount(row.amount_of_payment, currency);
  const facts = { paymentId, status, accountId, amount, currency, merchantReference };
  return { ...facts, channel: channelOf(row.client), createdAt: created.toISOString() };
}
