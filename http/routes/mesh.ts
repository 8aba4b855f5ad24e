import type { Context, Hono } from "hono";
import { firstRequestId } from "@/db/operations/operation-facts";
import { AppError } from "@/domain/errors";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import type { MeshPart } from "@/engine/module/module";
import type { MeshFunction } from "@/engine/module/route";
import type { ParsedJson } from "../body/parse-json";
import { readJson } from "../body/read-json";
import { declare, type RouteDeclaration } from "../declare";
import { meshAnswer as meshSettled } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { requireScopes } from "../guard/client";
import { keyInvalid, readKey } from "../guard/require-key";
import { answerToMesh, meshError, type MeshRequestMeta } from "../mesh/answers";
import { envelopeId, meshRequest, readEnvelope, type MeshCall } from "../mesh/envelope";
import { readMeshKey } from "../mesh/idempotency-extension";
import { IDEMPOTENCY_URN, PROTOCOL } from "../mesh/protocol";
import { requestMetaOf } from "../profiles/request-meta";
import type { Services } from "../services";
import { enterCall, keyedContext, runKeyed } from "./keyed";

/** Of every call, whatever its function. */
const ERRORS = ["validation.envelope", "validation.extension", "function.not_found"];

/** What the document says: the envelope is ours, the functions are the modules'. */
function declarationOf(parts: readonly MeshPart[]): RouteDeclaration {
  const said = (texts: readonly string[]) => texts.map((text) => `${text} `).join("");
  return {
    id: "callMesh",
    summary: "Call a function of the mesh",
    otherwise: "the key is in the envelope",
    description: `${said(parts.map(({ description }) => description))}The key and its window are in the extension urn:mesh:ext:idempotency; other extensions are ignored.`,
    body: meshRequest.meta({
      id: "MeshRequest",
      description:
        `Options of ${IDEMPOTENCY_URN} are those of MeshIdempotencyOptions. ${said(parts.map(({ argumentsText }) => argumentsText))}`.trimEnd(),
      examples: parts.flatMap(({ examples = [] }) =>
        examples.map((call) => ({
          protocol: PROTOCOL,
          id: "req_001",
          call,
          extensions: [{ urn: IDEMPOTENCY_URN, options: { key: "charge_order456_v1" } }],
        })),
      ),
    }),
    dress: "mesh",
    answers: {
      200: {
        text: "Processed, or cached: the result, or a refusal that is the answer of its key",
        schema: meshSettled,
      },
    },
    errors: [...ERRORS, ...new Set(parts.flatMap(({ errors = [] }) => errors))],
  };
}

type Noted = Pick<MeshRequestMeta, "id" | "key">;

/**
 * `POST /api/v1/mesh`: the operations of the HTTP routes in the mesh's envelope, under the same guard and in
 * the same order. Whatever comes of it is an envelope too.
 */
export function registerMesh(app: Hono<ApiEnv>, services: Services): void {
  const { mesh } = services.deps.modules;
  const functions = mesh.flatMap((part) => part.functions);
  const access = [...new Set(functions.flatMap(({ scopes }) => scopes))];
  declare(app, "POST /api/v1/mesh", { ...declarationOf(mesh), access }, async (c) => {
    // What is known of the call so far, for an error at any step.
    let noted: Noted = { id: null, key: undefined };
    const note = (more: Partial<Noted>) => (noted = { ...noted, ...more });
    c.set("refusal", (error) => meshError(error, { ...requestMetaOf(c), ...noted }));
    return answerCall(c, services, { functions, access }, note);
  });
}

async function answerCall(
  c: Context<ApiEnv>,
  services: Services,
  { functions, access }: { readonly functions: readonly MeshFunction[]; readonly access: readonly string[] },
  note: (more: Partial<Noted>) => void,
): Promise<Response> {
  const client = await enterCall(c, services, access);
  const body = await readJson(c.req.raw);
  note({ id: envelopeId(body) });
  const call = readEnvelope(body);
  const target = functionOf(functions, call);
  requireScopes(client, target.scopes);
  const { key, ttlSeconds } = readMeshKey(call);
  note({ key });
  requireSameHeader(c, key);
  // The envelope's id is the id of this attempt: it is what events of the operation are found by.
  const ctx = { ...keyedContext(c, client), requestId: call.id };
  const request = { key, ttlSeconds, receivedAt: c.get("receivedAt") };
  const input = { json: renamed(call.arguments, target.renames), written: call.arguments, params: () => ({}) };
  const { answer } = await runKeyed(services, ctx, client, target, input, request);
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

/** Both names at once stay as they are, and the contract refuses the one that it does not know. */
function renamed(args: ParsedJson, renames: MeshFunction["renames"] = {}): ParsedJson {
  let value = args.value as Readonly<Record<string, unknown>>;
  for (const [from, to] of Object.entries(renames)) {
    if (!(from in value) || to in value) continue;
    const { [from]: moved, ...rest } = value;
    value = { ...rest, [to]: moved };
  }
  return { ...args, value };
}
