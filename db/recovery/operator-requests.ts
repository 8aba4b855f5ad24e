import { desc, eq, and, sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { callRows } from "@/db/named-call";
import { pick, rowsOf, select, type RowOf } from "@/db/query";
import { idempotencyOpen, operatorRequests } from "@/db/schema";
import type { OperatorAction } from "@/domain/operation-kind";

export interface RecoveryRequestInput {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly action: OperatorAction;
  /** `kind:id` of who asks, and what they are called. */
  readonly askedBy: string;
  readonly person: string;
  /** Of a resolve. */
  readonly outcome: "succeeded" | "failed" | undefined;
  readonly providerReference: string | undefined;
  readonly evidence: readonly string[];
  readonly reason: string | undefined;
}

/** What request_recovery says. */
export type RecoveryRequestAnswer =
  "recorded" | "not_found" | "settled" | "not_offered" | "held" | "requested" | "sent" | "unsent";

/** Asks the service of an operation to act. @returns whether that was recorded, or why not, and the service's name */
export async function requestRecovery(
  q: Queryable,
  input: RecoveryRequestInput,
): Promise<{ readonly answer: RecoveryRequestAnswer; readonly service: string | null }> {
  type Row = { readonly answer: RecoveryRequestAnswer; readonly service: string | null };
  const [row] = await callRows<Row>(q, "request_recovery", input);
  if (row === undefined) throw new Error("request_recovery gave no row");
  return row;
}

export interface WithdrawnRequest {
  readonly id: string;
  readonly action: OperatorAction;
  readonly service: string;
  readonly person: string;
  readonly taken_by: string | null;
}

/** Takes a request back; who has it in hand is fenced. @returns undefined when none is open */
export async function withdrawRequest(
  q: Queryable,
  tenantId: string,
  operationId: string,
  by: string,
): Promise<WithdrawnRequest | undefined> {
  return (await callRows<WithdrawnRequest>(q, "withdraw_request", { tenantId, operationId, by }))[0];
}

const r = operatorRequests;
const o = idempotencyOpen;
/** Newest requests of one operation that its page shows. */
export const REQUESTS_SHOWN = 20;

export type OperatorRequestDbRow = RowOf<typeof selectOperatorRequests>;

/** What was asked of the service of an operation, the newest first. */
export async function selectOperatorRequests(q: Queryable, tenantId: string, operationId: string) {
  const columns = pick(
    r,
    "id",
    "service",
    "action",
    "outcome",
    "providerReference",
    "evidence",
    "reason",
    "person",
    "askedAt",
  );
  const ends = pick(r, "takenBy", "takenAt", "endedAt", "ended", "result", "finding", "withdrawnBy");
  /** Whoever took it holds the lease under the fence that it was given. */
  const inHand = sql<boolean>`${r.endedAt} is null and coalesce(${o.fence} = ${r.fence} and ${o.lockedUntil} > clock_timestamp(), false)`;
  const query = select({ ...columns, ...ends, inHand })
    .from(r)
    .leftJoin(o, and(eq(o.tenantId, r.tenantId), eq(o.operationId, r.operationId)))
    .where(and(eq(r.tenantId, tenantId), eq(r.operationId, operationId)))
    .orderBy(desc(r.askedAt))
    .limit(REQUESTS_SHOWN);
  return rowsOf(q, query);
}
