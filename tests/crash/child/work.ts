import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createAuth } from "@/auth/sessions";
import { messageAction } from "@/console/actions/message-actions";
import { createDatabase, type Database } from "@/db/client";
import type { CallResult } from "../oracles/recorder";
import { dueTopics } from "@/db/outbox/topics";
import { parseConfig } from "@/domain/config";
import { toAppError, type AppError } from "@/domain/errors";
import { createEngineBase } from "@/engine/base";
import { engineContext, type Actor, type EngineContext } from "@/engine/context";
import type { EngineConfig } from "@/engine/engine-config";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { consume } from "@/engine/inbox/consume";
import { relayTopic } from "@/engine/outbox/relay-topic";
import { MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { recoverDue } from "@/engine/recover/recover-due";
import { createLog } from "@/engine/telemetry/log";
import { createHttpApp } from "@/http/app";
import { createConsumers, paymentModules } from "@/tests/support/payments";
import { readRefundCommand } from "@/payments/create-refund";
import { createOperations, createRegistry, type Operations } from "@/payments/operations";
import type { PaymentProvider } from "@/payments/provider/port";
import { createSandboxProvider } from "@/payments/provider/sandbox-adapter";
import { readVoidCommand } from "@/payments/void-payment";
import type { CodeBug } from "../bugs/bug";
import { BUGS } from "../bugs/catalogue";
import { madeBy, NO_RESULT, PRINCIPAL } from "../call-result";
import { pointSeams, reached } from "./arm";
import { approve, correct, INES, MIRA } from "./corrections";
import { produce, startLoops, transportsOf, type LoopParts } from "./loops";
import type { ChildPlace, Done, Order, Wish, WorkOrder } from "./protocol";
import { withRecorder } from "./recorder-consumer";
import { withSeams, type Seams } from "./seams";

/** Leases are backdated by the harness, never waited for. */
const CONFIG: EngineConfig = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 24,
  metadataTtlDays: 30,
  providerTimeoutMs: 1_000,
};
const RECOVERED_AT_ONCE = 20;
const TOPICS = 200;
/** The suite sends faster than callers would. */
const UNLIMITED = { perSecond: 1_000_000, burst: 1_000_000 };
/** Position of the lease among the arguments of claim_outbox() and claim_inbox(). */
const LEASE_ARGUMENTS: Readonly<Record<string, number>> = { claim_outbox: 3, claim_inbox: 2 };

/** The engine and the example business of one process. */
export interface ChildWork extends LoopParts {
  readonly bug: CodeBug | undefined;
  readonly db: Database;
  readonly provider: PaymentProvider;
  readonly operations: Operations;
  server: Server | undefined;
  context(tenantId: string, actor: Actor): EngineContext;
}

export function openWork(place: ChildPlace): ChildWork {
  const { databaseUrl, instance, encryptionKeys, secret, messageLeaseMs } = place;
  const bug = place.bug === undefined ? undefined : BUGS[place.bug]?.code?.(place);
  if (place.bug !== undefined && bug === undefined) throw new Error(`There is no planted bug ${place.bug}.`);
  const short = messageLeaseMs === undefined ? [] : [shortLeases(messageLeaseMs)];
  const plain = createDatabase({ url: databaseUrl, applicationName: instance });
  const planted: Seams = { instead: (statement, run, query) => bug?.instead?.[statement]?.(run, query) };
  const db = withSeams(plain, [planted, ...short, pointSeams]);
  const provider = createSandboxProvider({ url: place.providerUrl });
  const operations = createOperations(bug?.provider?.(provider) ?? provider);
  const registry = createRegistry(operations);
  const base = createEngineBase({ db, instance, config: CONFIG, encryptionKeys, secret, log: createLog("silent") });
  const consumers = withRecorder(createConsumers(registry), bug?.effect);
  let requests = 0;
  return {
    place,
    bug,
    db,
    base,
    provider,
    operations,
    registry,
    consumers,
    server: undefined,
    context(tenantId, actor) {
      requests += 1;
      return engineContext(base, { tenantId, actor, requestId: `${instance}-${String(requests)}` });
    },
  };
}

export async function closeWork({ server, base, provider, db }: ChildWork): Promise<void> {
  server?.closeAllConnections();
  server?.close();
  await base.answers.close();
  provider.close();
  await db.close();
}

export async function obey(work: ChildWork, order: WorkOrder): Promise<Done> {
  const { base, consumers, place } = work;
  const system = { kind: "system", id: "crash", name: place.instance } as const;
  const client = { kind: "client", id: PRINCIPAL, name: PRINCIPAL, scopes: [] } as const;
  switch (order.do) {
    case "call":
      return { result: await callResult(work, work.context(order.tenant, client), order.wish) };
    case "calls": {
      const calls = order.wishes.map((wish) => callResult(work, work.context(order.tenant, client), wish));
      return { results: await Promise.all(calls) };
    }
    case "recover":
      return tick(() => recoverDue(work.context(order.tenant, system), work.registry, { limit: RECOVERED_AT_ONCE }));
    case "flush":
      await base.answers.flush();
      return {};
    case "relay":
      return tick(() => relayOnce(work.context(order.tenant, system), place, order));
    case "consume":
      return tick(() => consume(work.context(order.tenant, system), consumers));
    case "listen":
      work.server ??= await serve(work, order.port ?? 0);
      return { port: (work.server.address() as AddressInfo).port };
    case "produce":
      await produce(work.context(order.tenant, client), order.commands);
      return {};
    case "work":
      startLoops(work, order);
      return {};
    case "requeue":
      return tick(() => requeue(work, order));
    case "correct":
      return tick(() => correct(work.context(order.tenant, MIRA), order));
    case "approve":
      return tick(() => approve(work.context(order.tenant, INES), order));
  }
}

/** A tick that fails is tried again by the loop around it, as in the worker. */
async function tick(run: () => Promise<object>): Promise<Done> {
  try {
    return { counts: await run() };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

/** What a caller gets, without the bytes. A planted bug may change it. */
async function callResult(work: ChildWork, ctx: EngineContext, wish: Wish): Promise<CallResult> {
  let result: CallResult;
  try {
    const answer = await call(work, ctx, wish);
    reached("C9");
    reached("B5");
    result = callResultOf(answer);
  } catch (error) {
    result = { ...NO_RESULT, outcome: "error", ...saidBy(toAppError(error)) };
  }
  return work.bug?.result?.(result) ?? result;
}

function callResultOf(answer: ExecuteAnswer): CallResult {
  const result = { ...NO_RESULT, outcome: answer.outcome, operationId: answer.operation?.operationId };
  if (answer.outcome === "refused") return { ...result, ...saidBy(answer.error) };
  if (answer.outcome !== "executed" && answer.outcome !== "replayed") return result;
  const { status, headers, body } = answer.response;
  return { ...result, status, ...madeBy(headers["location"], body) };
}

function saidBy({ status, code, certainty, retryable }: AppError) {
  return { status, code, certainty, retryable };
}

async function call({ operations }: ChildWork, ctx: EngineContext, wish: Wish): Promise<ExecuteAnswer> {
  const request = { key: wish.key, receivedAt: performance.now() };
  const field = (name: string): string => wish.fields[name] ?? "";
  switch (wish.operation) {
    case "payment": {
      const accountId = field("accountId");
      const amountMinor = BigInt(field("amountMinor"));
      const command = { accountId, amountMinor, currency: "EUR", merchantReference: undefined, channel: "web" };
      return execute(ctx, operations.createPayment, { ...request, command });
    }
    case "refund": {
      const asked = { paymentId: field("paymentId"), amount: Number(field("amountMinor")), reason: undefined };
      return execute(ctx, operations.createRefund, { ...request, command: await readRefundCommand(ctx, asked) });
    }
    case "void": {
      const command = await readVoidCommand(ctx, { paymentId: field("paymentId") });
      return execute(ctx, operations.voidPayment, { ...request, command });
    }
    case "account": {
      const command = { accountId: field("accountId"), currency: field("currency"), email: wish.fields["email"] };
      return execute(ctx, operations.createAccount, { ...request, command });
    }
  }
}

async function relayOnce(
  ctx: EngineContext,
  place: ChildPlace,
  { inbox, what }: Extract<Order, { do: "relay" }>,
): Promise<object> {
  const transports = transportsOf(place, { inbox });
  const options = { cooldowns: new Map(), clock: () => performance.now() };
  const due = await dueTopics(ctx.db.pool, ctx.tenantId, TOPICS);
  const results = [];
  for (const topic of due.filter((each) => what === "all" || (each.topic === MAIL_TOPIC) === (what === "mail"))) {
    results.push(await relayTopic(ctx, transports, topic, options));
  }
  return results;
}

async function requeue(work: ChildWork, order: Extract<Order, { do: "requeue" }>): Promise<object> {
  const { tenant, side = "inbox", id, key } = order;
  const request = {
    action: `${side}.requeue`,
    idempotencyKey: key,
    input: {},
    subject: { type: side, id },
    reason: "the handler is repaired",
    receivedAt: performance.now(),
  } as const;
  const { answer } = await messageAction(work.context(tenant, MIRA), request, { side, id }, "requeue");
  return answer;
}

/** The API as cli/api.ts has it, with the suite's consumer beside the product's. */
async function serve(work: ChildWork, port: number): Promise<Server> {
  const { place, db, base, operations, registry, consumers } = work;
  const { databaseUrl, secret, encryptionKeys } = place;
  const config = parseConfig({ DATABASE_URL: databaseUrl, SECRET: secret, ENCRYPTION_KEYS: encryptionKeys });
  const app = createHttpApp({
    ...base,
    config,
    auth: createAuth({ db, secret, publicUrl: config.publicUrl, log: base.log }),
    modules: paymentModules(operations),
    registry,
    consumers,
    engine: base,
    limits: { events: UNLIMITED, calls: UNLIMITED },
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

/** @returns seams that make leases of messages so short that they run out while a process is paused */
function shortLeases(longestMs: number): Seams {
  return {
    instead(statement, run, query) {
      const at = LEASE_ARGUMENTS[statement];
      if (at === undefined) return undefined;
      const values = query.values.with(at, Math.min(Number(query.values[at]), longestMs));
      return run({ name: statement, text: query.text, values });
    },
  };
}
