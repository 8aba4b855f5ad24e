import type { Queryable } from "@/db/client";
import { selectProofAnswers } from "@/db/checks/select-proof-answers";
import {
  selectProofCalls,
  selectProofEntries,
  selectProofMade,
  selectProofNotifications,
} from "@/db/checks/select-proof-effects";
import { selectProofEvents } from "@/db/checks/select-proof-events";
import { selectProofHorizon } from "@/db/checks/select-proof-horizon";
import { selectProofInbox, selectProofOutbox } from "@/db/checks/select-proof-messages";
import { selectKeyHolders, selectProofRequest } from "@/db/checks/select-proof-request";
import { READ_TIMEOUT_MS } from "@/db/sql-text";
import { inTransaction } from "@/db/transaction";
import type { EngineContext } from "@/engine/context";

export type ProofSnapshot = Exclude<Awaited<ReturnType<typeof readRows>>, undefined>;

/**
 * Every row that a proof is about, as one moment saw them: without it a settlement between two reads would look like an
 * effect without its cause.
 *
 * @throws AppError `dependency.timeout` 504
 */
export async function takeSnapshot(ctx: EngineContext, operationId: string): Promise<ProofSnapshot | undefined> {
  return inTransaction(ctx.db, (tx) => readRows(tx, ctx.tenantId, operationId), {
    isolation: "repeatable read",
    readOnly: true,
    statementTimeoutMs: READ_TIMEOUT_MS.detail,
  });
}

async function readRows(q: Queryable, tenantId: string, operationId: string) {
  const request = await selectProofRequest(q, tenantId, operationId);
  if (request === undefined) return undefined;
  const { created_at: since } = request;
  const calls = await selectProofCalls(q, tenantId, operationId);
  const made = await selectProofMade(q, tenantId, operationId, request.account_id ?? undefined);
  const outbox = await selectProofOutbox(q, tenantId, operationId, since);
  const providerKeys = [...new Set([...calls, ...made].flatMap((row) => row.provider_key ?? []))];
  const sources = made.filter((row) => row.table !== "accounts").map((row) => row.id);
  return {
    request,
    holders: await selectKeyHolders(q, tenantId, request.operation, request.key),
    events: await selectProofEvents(q, tenantId, operationId, since),
    answers: await selectProofAnswers(q, tenantId, operationId, request.body_day),
    calls,
    made,
    outbox,
    inbox: await selectProofInbox(
      q,
      tenantId,
      operationId,
      outbox.map((row) => row.id),
      providerKeys,
    ),
    ledger: await selectProofEntries(q, tenantId, operationId, sources),
    notifications: await selectProofNotifications(q, tenantId, operationId),
    horizon: await selectProofHorizon(q),
  };
}
