import { v7 as uuidv7 } from "uuid";
import { claimOutbox } from "@/db/messages/claim-messages";
import { failMessage } from "@/db/messages/end-attempt";
import type { Done } from "../child/protocol";
import { unlessLost, type CrashChild } from "../children";
import type { CrashSession } from "../session";

interface CorrectionRun {
  readonly session: CrashSession;
  readonly tenant: string;
}

/** As the recorder sees whoever writes on this connection. */
const OWNER = "crash suite";
const LEASE_MS = 30_000;
/** Approvals until one is answered. */
const ROUNDS = 20;
const PROPOSAL = "proposal-of-this-run";
const APPROVAL = "approval-of-this-run";

/** The receiver refuses one message with its only attempt, and another body is proposed for it. */
export async function proposeForRefused({ session, tenant }: CorrectionRun): Promise<void> {
  const { pool } = session.place.db;
  const lease = { tenantId: tenant, owner: OWNER, leaseMs: LEASE_MS, limit: 1 };
  const [message] = await claimOutbox(pool, { ...lease, topic: "accounts" });
  if (message === undefined) throw new Error("there is no message to refuse");
  const { id, fence } = message;
  const error = { errorCode: "delivery.http_422", error: "The destination answered 422", errorFingerprint: "refused" };
  const attempt = { tenantId: tenant, id, fence, ...error, delayMs: 0, maxAttempts: 0, attemptId: uuidv7() };
  if ((await failMessage(pool, "outbox", attempt)) !== "dead") throw new Error("the refused message is not dead");
  const { trouble } = await session.rescuer.ask({ do: "correct", tenant, id, key: PROPOSAL });
  if (trouble !== undefined) throw new Error(`nothing was proposed: ${trouble}`);
}

/** A second person approves: the same request, whoever sends it. */
export async function approveCorrection(run: CorrectionRun, child: CrashChild): Promise<Done | undefined> {
  const { planId } = await correctionOf(run);
  return child.ask({ do: "approve", tenant: run.tenant, planId, key: APPROVAL }).catch(unlessLost);
}

/** The approval is sent until it is answered, then somebody wants the old message to go again all the same. */
export async function endCorrection(run: CorrectionRun): Promise<void> {
  const { session, tenant } = run;
  let last: Done | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    last = await approveCorrection(run, session.rescuer);
    if (last !== undefined && last.trouble === undefined) break;
  }
  if (last?.trouble !== undefined) throw new Error(`the correction is not approved: ${last.trouble}`);
  const { messageId } = await correctionOf(run);
  await session.rescuer.ask({ do: "requeue", tenant, side: "outbox", id: messageId, key: "requeue-of-the-old-one" });
}

async function correctionOf({ session, tenant }: CorrectionRun) {
  const { rows } = await session.place.db.pool.query<{ planId: string; messageId: string }>({
    text: `select plan_id as "planId", message_id as "messageId" from onceboard.message_corrections where tenant_id = $1`,
    values: [tenant],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("there is no correction");
  return row;
}
