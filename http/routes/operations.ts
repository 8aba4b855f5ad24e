import type { Hono } from "hono";
import { z } from "zod";
import { operationStatus, type OperationStatusRow } from "@/db/operations/operation-facts";
import { AppError } from "@/domain/errors";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { kindOf, type OperationKind } from "@/domain/operation-kind";
import type { Modules } from "@/engine/module/load";
import { operationAnswer } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { declareCall } from "./keyed";
import { UUID } from "@/domain/uuid";

const MS_PER_SECOND = 1_000;
/** Bounds of Retry-After, in seconds, while an operation is open. */
const MIN_WAIT = 1;
const MAX_WAIT = 60;

/** What became of an operation, for a caller that lost its answer: own tenant only, and never the stored answer itself. */
export function registerOperations(app: Hono<ApiEnv>, services: Services): void {
  const { callScopes, resources } = services.deps.modules;
  const { basePath } = services.deps.config;
  const status = {
    id: "readOperation",
    summary: "What became of an operation",
    access: [...callScopes, "admin"],
    description:
      "For a caller that lost its answer: state, stage, reference of the result, and what a retry with the same key would do.",
    params: { operationId: z.uuid() },
    answers: {
      200: { text: "The operation; Retry-After while it is open", schema: operationAnswer, headers: ["Retry-After"] },
    },
    errors: ["operation.not_found"],
  } as const;
  declareCall(
    app,
    services,
    "GET /api/v1/operations/:operationId",
    status,
    async (c, { db, tenantId, policies, kinds }) => {
      const id = c.req.param("operationId") ?? "";
      const row = UUID.test(id) ? await operationStatus(db.pool, tenantId, id) : undefined;
      if (row === undefined) throw new AppError("operation.not_found", 404, "There is no such operation");
      const wait = waitOf(row);
      const policy = await policies.of(tenantId, { name: row.operation, policy: {} });
      return jsonAnswer(
        c,
        viewOf(row, wait, policy, { kind: kindOf(await kinds.all(), row.operation), resources, basePath }),
        wait === undefined ? {} : { headers: { "retry-after": String(wait) } },
      );
    },
  );
}

function isOpen(row: OperationStatusRow): boolean {
  return row.state === "IN_PROGRESS" || row.state === "UNKNOWN_REQUIRES_RECOVERY";
}

/** Seconds after which it is worth asking again; none when it is settled. */
function waitOf(row: OperationStatusRow): number | undefined {
  if (!isOpen(row)) return undefined;
  // No lease and no look-up planned: only a person settles it, and nobody knows when.
  if (row.due_in_ms === null) return MAX_WAIT;
  const due = Math.ceil(row.due_in_ms / MS_PER_SECOND);
  return Math.min(MAX_WAIT, Math.max(MIN_WAIT, due));
}

interface Deployed {
  readonly kind: OperationKind;
  readonly resources: Modules["resources"];
  readonly basePath: string;
}

function viewOf(
  row: OperationStatusRow,
  wait: number | undefined,
  policy: OperationPolicy,
  { kind, resources, basePath }: Deployed,
): Record<string, unknown> {
  const path = row.resource_type === null ? undefined : resources[row.resource_type];
  return {
    operationId: row.operation_id,
    operation: row.operation,
    state: row.state,
    stage: row.stage,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    responseStatus: row.response_status,
    responseSchemaVersion: row.response_schema_version,
    errorCode: row.error_code,
    result:
      row.resource_type === null || row.resource_id === null
        ? null
        : {
            type: row.resource_type,
            id: row.resource_id,
            href: path === undefined ? null : basePath + hrefOf(path, row.resource_id),
          },
    retry: { sameKey: retryHint(row, policy, kind), afterSeconds: wait ?? null },
  };
}

/** @param path with the id as its one parameter */
function hrefOf(path: string, id: string): string {
  return `/api/v1${path.replace(/\{\w+\}/, encodeURIComponent(id))}`;
}

/** What a retry with the same key would do now, by the policy as it is now. Another service decides by itself: of it only the state is known. */
function retryHint(
  row: OperationStatusRow,
  { expired, maxAttempts }: OperationPolicy,
  { runsIn }: OperationKind,
): "wait" | "executes" | "replays" | "refused" {
  const ours = runsIn === "module";
  if (isOpen(row)) return "wait";
  if (row.expired || row.state === "EXPIRED")
    return ours && expired === "execute" && !row.set_aside ? "executes" : "refused";
  if (row.state === "FAILED_RETRYABLE") return ours && row.attempts >= maxAttempts ? "refused" : "executes";
  return row.replayable ? "replays" : "refused";
}
