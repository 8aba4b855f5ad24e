import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { readCommand, type ObjectKind } from "./command";
import type { Acceptance, ProviderObject } from "./ledger";
import type { SandboxFaults } from "./faults";
import { jsonOf, type Outcome, type Reply } from "../pretend-server";
import { refused, type SandboxContext } from "./context";

const EFFECTS: Readonly<Record<string, ObjectKind>> = {
  "/v1/charges": "charge",
  "/v1/refunds": "refund",
  "/v1/voids": "void",
};
const LOOK_UP = /^\/v1\/objects\/by-key\/([^/]+)$/;
const RATE_LIMIT_SECONDS = "1";
const INTERNAL: Reply = refused(500, "internal", "Something went wrong.");

/** Answers one request of the provider's API, after drawing its faults. */
export async function answerRequest(
  context: SandboxContext,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<Outcome> {
  const kind = EFFECTS[url.pathname];
  if (request.method === "POST" && kind !== undefined) return await answerEffect(context, kind, request, body);
  const key = LOOK_UP.exec(url.pathname)?.[1];
  if (request.method === "GET" && key !== undefined) return await answerLookUp(context, decodeURIComponent(key));
  return refused(404, "no_such_route", "There is no such route.");
}

async function answerEffect(
  context: SandboxContext,
  kind: ObjectKind,
  request: IncomingMessage,
  body: string,
): Promise<Outcome> {
  const command = readCommand(kind, request.headers, jsonOf(body));
  if (typeof command === "string") return refused(400, "invalid_request", command);
  context.ledger.see(command.providerKey);
  context.accounts.remember(command.providerKey, command.accountId);
  const faults = context.accounts.of(command.accountId);
  const refusal = faultBefore(context, faults);
  if (refusal) return refusal;
  await pause(faults.late_ms);
  const acceptance = context.ledger.accept(command, { processing: context.draws(faults, "processing") });
  if (acceptance.outcome === "accepted") announce(context, acceptance.object);
  await pause(faults.slow_ms);
  return faultAfter(context, faults) ?? answerAcceptance(acceptance);
}

async function answerLookUp(context: SandboxContext, providerKey: string): Promise<Outcome> {
  const faults = context.accounts.of(
    context.ledger.find(providerKey)?.accountId ?? context.accounts.accountOf(providerKey),
  );
  if (context.draws(faults, "down")) return "reset";
  if (context.draws(faults, "lookup_down")) return refused(503, "unavailable", "Look-ups are not available.");
  await pause(faults.slow_ms);
  const object = context.ledger.find(providerKey);
  return object ? { status: 200, body: publicObject(object) } : refused(404, "not_found", "No object has this key.");
}

function faultBefore(context: SandboxContext, faults: SandboxFaults): Outcome | undefined {
  if (context.draws(faults, "down")) return "reset";
  if (context.draws(faults, "rate_limit")) {
    return { ...refused(429, "rate_limited", "Too many requests."), headers: { "retry-after": RATE_LIMIT_SECONDS } };
  }
  if (context.draws(faults, "error_before")) return INTERNAL;
  return context.draws(faults, "timeout_before") ? "silence" : undefined;
}

function faultAfter(context: SandboxContext, faults: SandboxFaults): Outcome | undefined {
  if (context.draws(faults, "timeout_after_accept")) return "silence";
  if (context.draws(faults, "error_after_accept")) return INTERNAL;
  return context.draws(faults, "garbage") ? "garbage" : undefined;
}

function answerAcceptance(acceptance: Acceptance): Reply {
  switch (acceptance.outcome) {
    case "accepted":
      return { status: 201, body: publicObject(acceptance.object) };
    case "repeated":
      return { status: 200, body: publicObject(acceptance.object) };
    case "key_reused":
      return refused(409, "idempotency_key_reused", "This key was used with other parameters.");
    case "full":
      return refused(422, "ledger_full", "The sandbox accepts no more objects. Reset it.");
  }
}

/** Tells the receiver about a final status; a processing object is announced when it settles. */
export function announce(context: SandboxContext, object: ProviderObject): void {
  const faults = context.accounts.of(object.accountId);
  if (object.status === "processing" || context.draws(faults, "no_webhook")) return;
  context.webhooks.send(object, {
    times: context.draws(faults, "duplicate_webhook") ? 2 : 1,
    garbage: context.draws(faults, "garbage_webhook"),
  });
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { ref: false });
}

function publicObject({ id, kind, status, amount, currency, providerKey, createdAt, declineCode }: ProviderObject) {
  return { id, kind, status, amount, currency, providerKey, createdAt, declineCode };
}
