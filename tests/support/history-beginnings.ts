import { v7 as uuidv7 } from "uuid";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { readRefundCommand } from "@/payments/create-refund";
import { readVoidCommand } from "@/payments/void-payment";
import { CALM, type Life, type LifeBefore, unlessRefused } from "./life";
import { beginInOtherService, type OtherBeginning, OTHER_BEGINNINGS, type Replay } from "./other-service";

/** What is done, and how its first request ends. */
type OurBeginning =
  | "paid"
  | "declined"
  | "lost"
  | "no_effect"
  | "taken_reference"
  | "account"
  | "taken_account"
  | "working"
  | "died_sent"
  | "died_prepared"
  | "refund"
  | "refund_lost"
  | "refund_no_effect"
  | "refund_too_much"
  | "refund_working"
  | "refund_died_sent"
  | "refund_died_prepared"
  | "void"
  | "void_lost"
  | "void_no_effect"
  | "void_refused"
  | "void_died_sent"
  | "void_died_prepared";
export type Beginning = OurBeginning | OtherBeginning;

const AMOUNT = 4_200n;
const DECLINED_AMOUNT = 4_251n;
const OTHER_AMOUNT = 9_900n;
const OUT_OF_REACH = 1_000;

type Send = Life["send"];
const isElsewhere = (begins: Beginning): begins is OtherBeginning =>
  (OTHER_BEGINNINGS as readonly string[]).includes(begins);

/** @returns the operation once its first request was answered, or its owner died */
export async function begin(at: LifeBefore, begins: Beginning, replay: Replay): Promise<Life> {
  if (isElsewhere(begins)) return beginInOtherService(at, begins, replay);
  const { env, tenant } = at;
  const client = (): EngineContext => env.context({ tenant });
  const key = uuidv7();
  const send = await sender({ ...at, client }, begins, key);
  const how = begins.replace(/^(refund|void)_/, "");
  const unanswered = how === "working" || how === "died_sent" || how === "died_prepared";
  const lost = how === "lost" || unanswered;
  await env.faults({ ...CALM, error_after_accept: lost ? 1 : 0, error_before: how === "no_effect" ? 1 : 0 });
  await unlessRefused(send());
  await env.faults(CALM);
  const [row] = await env.rows<{ operation_id: string }>(
    "select operation_id from onceboard.idempotency_requests where tenant_id = $1 and key = $2",
    tenant,
    key,
  );
  if (row === undefined) throw new Error(`${begins} left no operation`);
  const recover = (): Promise<void> => Promise.resolve();
  const life: Life = { ...at, key, operationId: row.operation_id, client, send, recover };
  if (unanswered) await unanswer(life, how);
  return life;
}

type Room = LifeBefore & Pick<Life, "client">;

const pay = ({ client, operations }: Room, key: string, amountMinor: bigint, merchantReference: string) =>
  execute(client(), operations.createPayment, {
    key,
    command: { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference, channel: "web" },
    receivedAt: performance.now(),
  });
const open = ({ client, operations }: Room, key: string, currency: string) =>
  execute(client(), operations.createAccount, {
    key,
    command: { accountId: "acc_1", currency },
    receivedAt: performance.now(),
  });

/** Makes what its command needs, or what stands in its way. */
async function sender(room: Room, begins: OurBeginning, key: string): Promise<Send> {
  if (begins.startsWith("refund")) return refunds(room, begins, key);
  if (begins.startsWith("void")) return voids(room, begins, key);
  if (begins === "account" || begins === "taken_account") {
    if (begins === "taken_account") await open(room, uuidv7(), "EUR");
    return (other) => open(room, key, other === undefined ? "EUR" : "USD");
  }
  if (begins === "taken_reference") await pay(room, uuidv7(), AMOUNT, "order-1");
  const amount = begins === "declined" ? DECLINED_AMOUNT : AMOUNT;
  return (other) => pay(room, key, other === undefined ? amount : OTHER_AMOUNT, "order-1");
}

/** A payment of its own, that a refund or a void is about. */
async function paid(room: Room): Promise<string> {
  const key = uuidv7();
  await pay(room, key, AMOUNT, key);
  const [row] = await room.env.rows<{ id: string }>(
    "select id from payments.payments where tenant_id = $1 and merchant_reference = $2",
    room.tenant,
    key,
  );
  return row?.id ?? "";
}

async function refund({ client, operations }: Room, key: string, paymentId: string, amount: string): Promise<unknown> {
  const command = await readRefundCommand(client(), { paymentId, amount, reason: undefined });
  return execute(client(), operations.createRefund, { key, command, receivedAt: performance.now() });
}

async function refunds(room: Room, begins: OurBeginning, key: string): Promise<Send> {
  const paymentId = await paid(room);
  const amount = begins === "refund_too_much" ? "99.00" : "10.00";
  return (other) => refund(room, key, paymentId, other === undefined ? amount : "12.00");
}

async function voids(room: Room, begins: OurBeginning, key: string): Promise<Send> {
  const { client, operations } = room;
  const [paymentId, another] = [await paid(room), await paid(room)];
  if (begins === "void_refused") await refund(room, uuidv7(), paymentId, "10.00");
  return async (other) => {
    const command = await readVoidCommand(client(), { paymentId: other === undefined ? paymentId : another });
    return execute(client(), operations.voidPayment, { key, command, receivedAt: performance.now() });
  };
}

/** Puts a lost operation back to where its owner works, or died. */
async function unanswer({ env, tenant, operationId }: Life, how: "working" | "died_sent" | "died_prepared") {
  const sent = how !== "died_prepared";
  const its = [tenant, operationId] as const;
  await env.rows(
    "update onceboard.idempotency_requests set state = 'IN_PROGRESS', error_code = null where tenant_id = $1 and operation_id = $2",
    ...its,
  );
  await env.rows(
    `update onceboard.idempotency_open set stage = $3, unknown_since = null, next_check_at = null, owner = 'dead-1', last_finding = null,
       locked_until = clock_timestamp() + make_interval(secs => $4) where tenant_id = $1 and operation_id = $2`,
    ...its,
    sent ? "PROVIDER_REQUEST_SENT" : "LOCAL_PAYMENT_CREATED",
    how === "working" ? OUT_OF_REACH : -1,
  );
  await env.rows(
    `update onceboard.provider_requests set state = $3, outcome = null, provider_reference = null, detail = null, answered_at = null,
       sent_at = case when $3 = 'sent' then sent_at end where tenant_id = $1 and operation_id = $2`,
    ...its,
    sent ? "sent" : "prepared",
  );
  await env.rows(
    "delete from onceboard.idempotency_events where tenant_id = $1 and operation_id = $2 and outcome is not null",
    ...its,
  );
}
