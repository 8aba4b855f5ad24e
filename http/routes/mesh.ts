import type { Context, Hono } from "hono";
import { firstRequestId } from "@/db/operations/operation-facts";
import { AppError } from "@/domain/errors";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import { readJson } from "../body/read-json";
import { declare, type RouteDeclaration } from "../declare";
import { meshAnswer as meshSettled } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { keyInvalid, readKey } from "../guard/require-key";
import { answerToMesh, meshError, type MeshRequestMeta } from "../mesh/answers";
import { envelopeId, meshRequest, readEnvelope, type MeshCall } from "../mesh/envelope";
import { meshFunctions, type MeshFunction } from "../mesh/functions";
import { readMeshKey } from "../mesh/idempotency-extension";
import { IDEMPOTENCY_URN, PROTOCOL } from "../mesh/protocol";
import { requestMetaOf } from "../profiles/request-meta";
import type { Services } from "../services";
import { enterCall, keyedContext } from "./keyed";

const CALL = {
  id: "callMesh",
  summary: "Call a function of the mesh",
  access: "payments.write",
  otherwise: "the key is in the envelope",
  description:
    "payments.charge, payments.refund and payments.void, version 1: the operations of POST /payments, /refunds and /payments/{id}/void under the same keys, so one key through both doors is one operation. The key and its window are in the extension urn:mesh:ext:idempotency; other extensions are ignored.",
  body: meshRequest.meta({
    id: "MeshRequest",
    description: `Options of ${IDEMPOTENCY_URN} are those of MeshIdempotencyOptions. payments.charge takes the members of CreatePayment (customer_id for accountId), payments.refund those of CreateRefund, payments.void a paymentId.`,
    examples: [
      {
        protocol: PROTOCOL,
        id: "req_001",
        call: {
          function: "payments.charge",
          version: "1",
          arguments: { amount: 100, currency: "USD", customer_id: "cust_123" },
        },
        extensions: [{ urn: IDEMPOTENCY_URN, options: { key: "charge_order456_v1" } }],
      },
    ],
  }),
  dress: "mesh",
  answers: {
    200: { text: "Processed, or cached: the result, or a refusal that is the answer of its key", schema: meshSettled },
  },
  errors: [
    "validation.envelope",
    "validation.extension",
    "validation.amount",
    "function.not_found",
    "payment.not_found",
    "payment.not_settled",
    "payment.insufficient_funds",
    "payment.declined",
    "payment.duplicate_reference",
    "payment.not_refundable",
    "payment.not_voidable",
    "refund.exceeds_remaining",
    "dependency.timeout",
    "dependency.refused",
    "transient.owner_lost",
  ],
} as const satisfies RouteDeclaration;

type Noted = Pick<MeshRequestMeta, "id" | "key">;

/**
 * `POST /api/v1/mesh`: the operations of the HTTP routes in the mesh's envelope, under the same guard and in
 * the same order. Whatever comes of it is an envelope too.
 */
export function registerMesh(app: Hono<ApiEnv>, services: Services): void {
  const functions = meshFunctions(services);
  declare(app, "POST /api/v1/mesh", CALL, async (c) => {
    // What is known of the call so far, for an error at any step.
    let noted: Noted = { id: null, key: undefined };
    const note = (more: Partial<Noted>) => (noted = { ...noted, ...more });
    c.set("refusal", (error) => meshError(error, { ...requestMetaOf(c), ...noted }));
    return answerCall(c, services, functions, note);
  });
}

async function answerCall(
  c: Context<ApiEnv>,
  services: Services,
  functions: readonly MeshFunction[],
  note: (more: Partial<Noted>) => void,
): Promise<Response> {
  const client = await enterCall(c, services, CALL.access);
  const body = await readJson(c.req.raw);
  note({ id: envelopeId(body) });
  const call = readEnvelope(body);
  const target = functionOf(functions, call);
  const { key, ttlSeconds } = readMeshKey(call);
  note({ key });
  requireSameHeader(c, key);
  // The envelope's id is the id of this attempt: it is what events of the operation are found by.
  const ctx = { ...keyedContext(c, client), requestId: call.id };
  const request = { key, ttlSeconds, receivedAt: c.get("receivedAt") };
  const answer = await target.run(ctx, client, call.arguments, request);
  return answerToMesh(answer, {
    ...requestMetaOf(c),
    id: call.id,
    key,
    firstRequestId: await whoWasFirst(ctx, answer),
  });
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
async function whoWasFirst(ctx: EngineContext, answer: ExecuteAnswer): Promise<string | undefined> {
  const { operation } = answer;
  return operation && (await firstRequestId(ctx.db.pool, ctx.tenantId, operation));
}
