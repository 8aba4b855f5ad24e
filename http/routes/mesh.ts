import type { Context, Hono } from "hono";
import { firstRequestId } from "@/db/queries/first-request-id";
import { AppError } from "@/domain/errors";
import type { Answer } from "@/engine/answer";
import type { EngineContext } from "@/engine/context";
import { readJson } from "../body/read-json";
import type { ApiEnv } from "../env";
import { keyInvalid, readKey } from "../guard/require-key";
import { meshAnswer, meshError, type MeshAsked } from "../mesh/answers";
import { idOf, readEnvelope, type MeshCall } from "../mesh/envelope";
import { meshFunctions, type MeshFunction } from "../mesh/functions";
import { readMeshKey } from "../mesh/idempotency-extension";
import { askedOf } from "../profiles/asked";
import type { Services } from "../services";
import { enterKeyed, keyedContext } from "./keyed";
import { shapeOf } from "./shape";

type Noted = Pick<MeshAsked, "id" | "key">;

/**
 * `POST /api/v1/mesh` (S0.1–S0.8): the operations of the HTTP routes in the mesh's envelope, under the same guard and in
 * the same order. Whatever comes of it is an envelope too.
 */
export function registerMesh(app: Hono<ApiEnv>, services: Services): void {
  const functions = meshFunctions(services);
  app.post("/api/v1/mesh", async (c) => {
    // What is known of the call so far, for an error at any step.
    let noted: Noted = { id: null, key: undefined };
    const note = (more: Partial<Noted>) => (noted = { ...noted, ...more });
    c.set("refusal", (error) => meshError(error, { ...askedOf(c), ...noted }));
    return answerCall(c, services, functions, note);
  });
}

async function answerCall(
  c: Context<ApiEnv>,
  services: Services,
  functions: readonly MeshFunction[],
  note: (more: Partial<Noted>) => void,
): Promise<Response> {
  const client = await enterKeyed(c, services, "payments.write");
  const body = await readJson(c.req.raw);
  note({ id: idOf(body) });
  const call = readEnvelope(body);
  const target = functionOf(functions, call);
  const { key, ttlSeconds } = readMeshKey(call);
  note({ key });
  requireSameHeader(c, key);
  // The envelope's id is the id of this attempt: it is what events of the operation are found by (S0.4).
  const ctx = { ...keyedContext(c, client), requestId: call.id };
  const receivedAt = c.get("receivedAt");
  const request = { key, ttlSeconds, receivedAt, shape: shapeOf(call.arguments) };
  const answer = await target.run(ctx, client, call.arguments, request);
  return meshAnswer(answer, { ...askedOf(c), id: call.id, key, firstRequestId: await whoWasFirst(ctx, answer) });
}

/** The extension's key counts. A header is not needed; one that says something else is a mistake that must not pass. */
function requireSameHeader(c: Context<ApiEnv>, key: string): void {
  const header = readKey(c);
  if (header.kind === "missing" || (header.kind === "key" && header.key === key)) return;
  throw keyInvalid(
    "The Idempotency-Key header contradicts the idempotency extension",
    "the extension's key counts here; leave the header out, or send the same key",
  );
}

function functionOf(functions: readonly MeshFunction[], call: MeshCall): MeshFunction {
  const found = functions.find(({ name, version }) => name === call.function && version === call.version);
  if (found !== undefined) return found;
  throw new AppError("function.not_found", 404, "There is no such function", {
    detail: "No function of this name and version can be called. Nothing was recorded.",
    extensions: { functions: functions.map(({ name, version }) => ({ name, version })) },
  });
}

/** @returns nothing without an operation that this caller may know of */
async function whoWasFirst(ctx: EngineContext, answer: Answer): Promise<string | undefined> {
  const { operation } = answer;
  return operation && (await firstRequestId(ctx.db.pool, ctx.tenantId, operation));
}
