import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createAuth } from "@/auth/sessions";
import { dueTopics } from "@/db/outbox/topics";
import { parseConfig } from "@/domain/config";
import { consume } from "@/engine/inbox/consume";
import { engineContext, type EngineBase, type EngineContext } from "@/engine/context";
import { relayTopic, type RelayOptions } from "@/engine/outbox/relay-topic";
import { messageAction } from "@/console/actions/message-actions";
import type { Transports } from "@/engine/outbox/transport";
import { createHttpTransport, ownInbox } from "@/engine/outbox/transports/http";
import { createTransports, MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { createHttpApp } from "@/http/app";
import { createMailTransport } from "@/payments/mail/mail-transport";
import { createRegistry } from "@/payments/operations";
import { type MessageParts, produce, startLoops } from "./loops";
import type { ChildPlace, Done, MessageOrder } from "./protocol";
import type { Seams } from "./seams";

export interface MessageWork {
  obey(order: MessageOrder): Promise<Done>;
  close(): void;
}

const TOPICS = 200;
/** The suite sends faster than callers would. */
const UNLIMITED = { perSecond: 1_000_000, burst: 1_000_000 };
/** Position of the lease among the arguments of claim_outbox() and claim_inbox(). */
const LEASE_ARGUMENTS: Readonly<Record<string, number>> = { claim_outbox: 3, claim_inbox: 2 };

/** @returns seams that make leases of messages so short that they run out while a process is paused */
export function shortLeases(longestMs: number): Seams {
  return {
    instead(statement, run, query) {
      const at = LEASE_ARGUMENTS[statement];
      if (at === undefined) return undefined;
      const values = query.values.map((value, index) => (index === at ? Math.min(Number(value), longestMs) : value));
      return run({ name: statement, text: query.text, values });
    },
  };
}

export function openMessages(parts: MessageParts): MessageWork {
  const { base, place, consumers } = parts;
  const http = new Map<string, Transports>();
  let server: ReturnType<typeof createServer> | undefined;
  let requests = 0;
  const contextOf = (tenantId: string): EngineContext => {
    requests += 1;
    const actor = { kind: "system", id: "crash", name: place.instance } as const;
    return engineContext(base, { tenantId, actor, requestId: `${place.instance}-m${String(requests)}` });
  };
  /** As one client, whichever of its processes asks. */
  const clientContext = (tenantId: string): EngineContext => {
    const actor = { kind: "client", id: "till", name: "till", scopes: [] } as const;
    return { ...contextOf(tenantId), actor };
  };
  const transportsTo = (inbox: string): Transports => {
    const known = http.get(inbox) ?? transportsOf(place, inbox);
    http.set(inbox, known);
    return known;
  };
  return {
    async obey(order) {
      switch (order.do) {
        case "relay":
          return tick(() => relayOnce(contextOf(order.tenant), transportsTo(order.inbox), order.what));
        case "consume":
          return tick(async () => ({ ...(await consume(contextOf(order.tenant), consumers)) }));
        case "listen": {
          server ??= await serve(parts, order.port ?? 0);
          return { port: (server.address() as AddressInfo).port };
        }
        case "produce":
          return { counts: { done: await produce(clientContext(order.tenant), order.commands) } };
        case "work":
          startLoops(parts, order);
          return {};
        case "requeue":
          return tick(() => requeue(base, place, order));
      }
    },
    close() {
      server?.closeAllConnections();
      server?.close();
    },
  };
}

/** @param inbox origin of the API that takes what goes over HTTP */
function transportsOf(place: ChildPlace, inbox: string): Transports {
  const mail = createMailTransport({ smtpUrl: undefined, mailFrom: "receipts@example.com", dataDir: place.dataDir });
  return createTransports({ http: createHttpTransport({ destination: ownInbox(inbox) }), mail }, "http");
}

/** A tick that fails is tried again by the loop around it, as in the worker. */
async function tick(work: () => Promise<Readonly<Record<string, number>>>): Promise<Done> {
  try {
    return { counts: await work() };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

async function relayOnce(
  ctx: EngineContext,
  transports: Transports,
  what: "all" | "events" | "mail",
): Promise<Readonly<Record<string, number>>> {
  const options: RelayOptions & Required<Pick<RelayOptions, "cooldowns" | "clock">> = {
    cooldowns: new Map(),
    clock: () => performance.now(),
  };
  const due = await dueTopics(ctx.db.pool, ctx.tenantId, TOPICS);
  const chosen = due.filter(({ topic }) => what === "all" || (topic === MAIL_TOPIC) === (what === "mail"));
  const sum: Record<string, number> = {};
  for (const topic of chosen) {
    const result = await relayTopic(ctx, transports, topic, options);
    for (const [name, count] of Object.entries(result)) sum[name] = (sum[name] ?? 0) + Number(count);
  }
  return sum;
}

async function requeue(
  base: EngineBase,
  place: ChildPlace,
  { tenant, id, key }: Extract<MessageOrder, { do: "requeue" }>,
): Promise<Readonly<Record<string, number>>> {
  const actor = { kind: "operator", id: "op-1", name: "Mira", role: "admin" } as const;
  const ctx = engineContext(base, { tenantId: tenant, actor, requestId: `${place.instance}-${key}` });
  const request = {
    action: "inbox.requeue",
    idempotencyKey: key,
    input: {},
    subject: { type: "inbox", id },
    reason: "the handler is repaired",
    receivedAt: performance.now(),
  } as const;
  const { answer, replayed } = await messageAction(ctx, request, { side: "inbox", id }, "requeue");
  return { changed: Number(answer.changed), replayed: Number(replayed) };
}

/** The API as cli/api.ts has it, with the suite's consumer beside the product's. */
async function serve(parts: MessageParts, port: number): Promise<ReturnType<typeof createServer>> {
  const { place, db, base, operations, provider, consumers } = parts;
  const { databaseUrl, secret, encryptionKeys } = place;
  const config = parseConfig({ DATABASE_URL: databaseUrl, SECRET: secret, ENCRYPTION_KEYS: encryptionKeys });
  const app = createHttpApp({
    ...base,
    config,
    auth: createAuth({ db, secret, publicUrl: config.publicUrl, log: base.log }),
    provider,
    operations,
    registry: createRegistry(operations),
    consumers,
    engine: base,
    limits: { events: UNLIMITED, calls: UNLIMITED },
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
