import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { WireProfile } from "@/domain/access/permission";
import { AppError } from "@/domain/errors";
import { parseIdempotencyKey } from "@/domain/idempotency/idempotency-key";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { OwnClaim, Subject } from "@/engine/execute/operation";
import { goodTraceparent, traceIdIn } from "@/engine/telemetry/telemetry";
import type { ParsedJson } from "@/http/body/parse-json";
import { MAX_BODY_BYTES } from "@/http/body/read-bytes";
import { readJsonFrom } from "@/http/body/read-json";
import { validateCommand } from "@/http/body/validate";
import { wantsMinimal, type RequestMeta } from "@/http/profiles/request-meta";
import type { Json, WorkAnswer } from "../once/answer";
import type { Onceboard } from "../once/create-onceboard";
import { UsageError } from "../usage-error";
import type { ReceivedRequest } from "./received";
import { wireFor } from "./render";

/** A route of a service that runs an operation under its caller's key. What throws here goes to the framework. */
export interface IdempotentRoute<Native, Command extends object> {
  /** `orders.place` */
  readonly operation: string;
  readonly tenant: (request: Native) => string | Promise<string>;
  /** Who asks; a key belongs to its principal. */
  readonly principal: (request: Native) => string | Promise<string>;
  /** Of the body. Any object when left out, and an empty one for no body. */
  readonly schema?: z.ZodType<Command> | undefined;
  /** Members of the body that are amounts of money: as a number, whole minor units only. */
  readonly amounts?: readonly string[] | undefined;
  /** Part of the command beside the body. `:path` and `:query` as they came when left out. */
  readonly beside?: ((request: Native) => Readonly<Record<string, Json | undefined>>) | undefined;
  /** What lists and the attention queue show of it. */
  readonly subject?: ((command: Command, request: Native) => Subject) | undefined;
  /** How errors look; `problem` when left out. */
  readonly profile?: WireProfile | ((request: Native) => WireProfile) | undefined;
  /** 262144 when left out. */
  readonly maxBodyBytes?: number | undefined;
}

export interface IdempotentRequest<Native, Command> {
  /** The validated body. */
  readonly command: Command;
  readonly tenant: string;
  readonly principal: string;
  readonly key: string;
  /** The framework's own. */
  readonly native: Native;
}

/** The work of a route. It may run again after a lost race, so its only effect is on `tx`. */
export type RouteWork<Tx, Native, Command> = (
  request: IdempotentRequest<Native, Command>,
  tx: Tx,
  claim: OwnClaim,
) => Promise<WorkAnswer>;

const ANY_OBJECT = z.record(z.string(), z.unknown());

/**
 * Answers one request of a route.
 * @throws what `tenant`, `principal` and the work throw, once everything is taken back; an AppError of the work is answered
 */
export async function answerOnce<Tx, Native, Command extends object>(
  onceboard: Pick<Onceboard<Tx>, "decide">,
  route: IdempotentRoute<Native, Command>,
  work: RouteWork<Tx, Native, Command>,
  received: ReceivedRequest<Native>,
): Promise<Response> {
  const { native } = received;
  const [tenant, principal] = [await route.tenant(native), await route.principal(native)];
  const requestId = uuidv7();
  const traceparent = goodTraceparent(received.header("traceparent"));
  const echo: Pick<RequestMeta, "keyEcho" | "unkeyed"> = { keyEcho: undefined };
  const minimal = wantsMinimal(received.header("prefer") ?? undefined);
  const meta = (): RequestMeta => ({ requestId, traceId: traceIdIn(traceparent), minimal, ...echo });
  const wire = wireFor(meta, typeof route.profile === "function" ? route.profile(native) : route.profile);
  try {
    const line = received.header("idempotency-key");
    const given = keyIn(line);
    if (given !== undefined) Object.assign(echo, { keyEcho: line?.trim() });
    const json = await readRouteBody(route, received);
    const asked = askedBy(route, json, received);
    let key = "";
    const decision = await onceboard.decide(
      {
        tenant,
        principal,
        operation: route.operation,
        requestId,
        traceparent,
        key: (policy) => {
          key = given ?? madeFor(policy);
          if (given === undefined) Object.assign(echo, { keyEcho: key, unkeyed: true });
          return key;
        },
        command: asked.command,
        subject: asked.subject,
      },
      async (tx, claim) => {
        const answer = await work({ command: asked.body(), tenant, principal, key, native }, tx, claim);
        checkAnswered(answer, received);
        return answer;
      },
    );
    return wire.decided(decision);
  } catch (error) {
    if (error instanceof AppError) return wire.error(error);
    throw error;
  }
}

/** The command of one request; the policy decides what of the body is in it. */
function askedBy<Native, Command extends object>(
  { schema, amounts = [], beside, subject }: IdempotentRoute<Native, Command>,
  json: ParsedJson,
  { native, target }: ReceivedRequest<Native>,
) {
  const input = schema === undefined && json.value === undefined ? { ...json, value: {} } : json;
  const shape = { schema: schema ?? (ANY_OBJECT as unknown as z.ZodType<Command>), amounts };
  let valid: Command | undefined;
  const body = (): Command => valid ?? validateCommand(shape, input, { unknownFields: "reject" });
  return {
    body,
    command: (policy: OperationPolicy): object => {
      valid = validateCommand(shape, input, policy);
      const more = beside === undefined ? placeOf(target) : beside(native);
      const twice = Object.keys(more).filter((name) => name in (valid ?? {}));
      if (twice.length > 0) throw unknownMembers(twice);
      return { ...valid, ...more };
    },
    subject: () => subject?.(body(), native) ?? {},
  };
}

/** What differs here is another command: the path names what is acted on. */
function placeOf(target: string): Readonly<Record<string, string | undefined>> {
  const [path, ...query] = target.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  parameters.sort();
  return { ":path": path, ":query": parameters.size === 0 ? undefined : parameters.toString() };
}

function unknownMembers(names: readonly string[]): AppError {
  return new AppError("validation.body", 422, "The command is not valid", {
    detail: "Nothing was recorded; the same key may be used with a corrected body.",
    extensions: { errors: names.map((path) => ({ path, message: "unknown member" })) },
  });
}

function readRouteBody<Native>(
  { maxBodyBytes = MAX_BODY_BYTES }: Pick<IdempotentRoute<Native, object>, "maxBodyBytes">,
  received: ReceivedRequest<Native>,
): Promise<ParsedJson> {
  const source = { header: received.header, bytes: () => received.bytes(maxBodyBytes) };
  return readJsonFrom(source, { optional: true });
}

const HOW = "Send one key per business action and the same key on every retry. Nothing was recorded.";

/** @throws AppError `idempotency.key_invalid` 400 */
function keyIn(line: string | null): string | undefined {
  const parsed = parseIdempotencyKey(line === null ? [] : [line]);
  if (parsed.kind === "key") return parsed.key;
  if (parsed.kind === "missing") return undefined;
  throw new AppError("idempotency.key_invalid", 400, "The Idempotency-Key header is not usable", {
    detail: `The key was refused: ${parsed.reason}. Nothing was recorded.`,
  });
}

/** @throws AppError `idempotency.key_missing` 400 unless the policy lets a request run without a key */
function madeFor(policy: OperationPolicy): string {
  if (policy.key === "optional") return `unkeyed-${randomUUID()}`;
  throw new AppError("idempotency.key_missing", 400, "An Idempotency-Key header is needed", { detail: HOW });
}

/** @throws UsageError */
function checkAnswered(answer: WorkAnswer | undefined, { sent }: Pick<ReceivedRequest<unknown>, "sent">): void {
  if (sent())
    throw new UsageError("answer.sent", "The work sent its answer itself. Return it, so that it can be kept.");
  if (answer === undefined) throw new UsageError("answer.sent", "The work returned no answer that could be kept.");
}
