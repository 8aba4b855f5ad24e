import { callAttached, endOfTransaction, type FunctionCall, type TransactionEnd } from "@/attach/act/call-attached";
import type { Foreign } from "@/attach/connection";
import type { AttachManifest } from "@/attach/contract/manifest";
import {
  answerAct,
  closeUnsent,
  deleteAct,
  insertAct,
  keepReturned,
  selectAct,
  type ActRow,
  type ActTarget,
} from "@/db/attachments/acts";
import { selectAttachment, selectAttachmentName } from "@/db/attachments/attachments";
import type { Queryable } from "@/db/client";
import { ATTACHED_ACTS, type AttachedAct } from "@/domain/attachments/acts";
import { actionLabel } from "@/domain/access/permission";
import { AppError } from "@/domain/errors";
import { kindOfModule, type OperationKind } from "@/domain/operation-kind";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import { refusalSettlement } from "@/engine/execute/refusal";
import type { ProviderOperation, ProviderReply, Settlement } from "@/engine/execute/operation";
import { countSingleAct } from "../second-person/single-acts";
import { openAttachment } from "./open-attachment";

/** What somebody asks for: which attachment, and which row or which old rows. */
export interface ActCommand extends ActTarget {
  readonly reason: string | undefined;
  /** Where it is a row of a plan: which, and who started it. */
  readonly plan?: { readonly planId: string; readonly startedBy: string } | undefined;
}

/** The attached database is asked by the number of its transaction; a call that is repeated would be a second one. */
const PROVIDER = { name: "attached database", queryable: true, dedupesForHours: 0 } as const;
const ABSENT: ProviderReply = { kind: "absent" };

/**
 * The operations that change rows of attached databases, on the engine's provider path (docs/attach/README.md, Acting). What the function
 * returned and the number of its transaction are kept before that transaction is committed, so a connection that is lost in the middle
 * leaves the outcome unknown until PostgreSQL says what became of the transaction; nothing is called a second time.
 */
export const ACT_OPERATIONS: readonly ProviderOperation<ActCommand, number>[] = ATTACHED_ACTS.map(operationOf);

export const ACT_KINDS: readonly OperationKind[] = ATTACHED_ACTS.map((act) =>
  kindOfModule(
    { name: "console" },
    { name: nameOf(act), path: "provider", provider: PROVIDER, label: actionLabel(`attached.${act}`) },
  ),
);

/** @returns the operation that does it */
export function actOperation(act: AttachedAct): ProviderOperation<ActCommand, number> {
  const found = ACT_OPERATIONS.find(({ name }) => name === nameOf(act));
  if (found === undefined) throw new Error(`no operation does ${act}`);
  return found;
}

function nameOf(act: AttachedAct): string {
  return `attached.${act}`;
}

function operationOf(act: AttachedAct): ProviderOperation<ActCommand, number> {
  const of = (ctx: EngineContext, operationId: string) => ({ tenantId: ctx.tenantId, operationId });
  return {
    path: "provider",
    name: nameOf(act),
    apiVersion: "1",
    schemaVersion: "attached-act-1",
    policy: {},
    provider: PROVIDER,
    fields: ({ attachmentId, target, before, most, reason }) => ({
      attachment: attachmentId,
      row: target ?? null,
      before: before?.toISOString() ?? null,
      most: most === undefined ? null : String(most),
      reason: reason ?? null,
    }),
    describe: ({ target, attachmentId }) => ({ reference: target ?? attachmentId }),
    async prepare(ctx, tx, { operationId, fence }, command) {
      const { attachmentId, reason, plan: evidence } = command;
      const attachment = await selectAttachment(tx, ctx.tenantId, { id: attachmentId });
      if (attachment === undefined)
        throw new AppError("attachment.not_found", 404, "There is no such attachment", {
          detail: "Nothing was changed.",
        });
      if (act !== "requeue" && evidence === undefined)
        await countSingleAct(tx, ctx, { kind: `${act}_attached`, amount: undefined, rows: command.most });
      await insertAct(tx, of(ctx, operationId), fence, command);
      const after = { ...factsOf(command), source: attachment.name, operationId, asked: true };
      await audit(ctx, tx, {
        action: `attached.${act}`,
        subject: subjectOf(attachmentId),
        reason,
        before: {},
        after,
        evidence,
      });
      const prepared = { providerKey: operationId, kind: act, amountMinor: undefined, currency: undefined };
      return { kind: "ready", prepared, call: fence };
    },
    send: async (ctx, operationId, fence) => sendAct(ctx, operationId, fence),
    lookUp: (ctx, operationId) => lookUpAct(ctx, operationId),
    settle: (ctx, tx, { operationId }, { kind }) => settleAct(ctx, tx, operationId, kind === "succeeded"),
    release: (ctx, tx, operationId) => deleteAct(tx, of(ctx, operationId)),
  };
}

async function sendAct(ctx: EngineContext, operationId: string, fence: number | undefined): Promise<ProviderReply> {
  const of = { tenantId: ctx.tenantId, operationId };
  const act = await selectAct(ctx.db.pool, of);
  let opened: { foreign: Foreign; manifest: AttachManifest; row: { installedAs: string } } | undefined;
  try {
    opened = await openAttachment(ctx, { id: act.attachmentId });
  } catch (error) {
    return noEffect(
      error instanceof AppError && error.code === "attach.host_not_allowed" ? "refused" : "unavailable",
      error instanceof AppError ? error.message : "The attached database cannot be reached.",
    );
  }
  if (opened === undefined) return noEffect("refused", "The attachment was removed.");
  const offered = opened.manifest.actions[act.act];
  if (!offered.offered) return noEffect("refused", offered.reason);
  const outcome = await callAttached(opened.foreign, opened.row.installedAs, callOf(act), async ({ xid, rows }) => {
    const [first] = rows;
    const single = act.act === "purge" ? undefined : first;
    const returned = { xid, changed: rows.length, was: single?.was ?? null, isNow: single?.isNow ?? null };
    if (!(await keepReturned(ctx.db.pool, of, fence ?? act.fence, returned)))
      throw new Error("The operation has another owner now.");
  });
  switch (outcome.kind) {
    case "committed":
      return { kind: "succeeded", reference: outcome.xid };
    case "in_doubt":
      return { kind: "indefinite", reason: outcome.reason };
    case "no_effect":
      return noEffect(outcome.refused ? "refused" : "unavailable", `The attached database says: ${outcome.reason}`);
  }
}

const noEffect = (code: "unavailable" | "refused", why: string): ProviderReply => ({
  kind: "no_effect",
  reason: why,
  code,
  detail: `${why}${why.endsWith(".") ? "" : "."} Nothing was changed.`,
});

function callOf({ act, target, before, most }: ActRow): FunctionCall {
  if (act === "purge") {
    if (before === undefined || most === undefined) throw new Error("a purge without its bounds");
    return { act, before, most };
  }
  if (target === undefined) throw new Error(`${act} without a row`);
  return { act, row: target };
}

async function lookUpAct(ctx: EngineContext, operationId: string): Promise<ProviderReply> {
  // From here on an owner who lost the operation commits nothing.
  const act = await closeUnsent(ctx.db.pool, { tenantId: ctx.tenantId, operationId });
  const { xid } = act;
  if (xid === undefined) return ABSENT;
  let end: TransactionEnd;
  try {
    const opened = await openAttachment(ctx, { id: act.attachmentId });
    if (opened === undefined) return { kind: "unreachable", reason: "the attachment was removed" };
    end = await endOfTransaction(opened.foreign, xid);
  } catch (error) {
    return { kind: "unreachable", reason: error instanceof Error ? error.message : "nobody answered" };
  }
  switch (end) {
    case "committed":
      return { kind: "succeeded", reference: xid };
    case "aborted":
      return ABSENT;
    case "in progress":
      return { kind: "processing", reference: xid };
    case "forgotten":
      return { kind: "indefinite", reason: "their PostgreSQL no longer knows what became of the transaction" };
  }
}

async function settleAct(ctx: EngineContext, tx: Queryable, operationId: string, done: boolean): Promise<Settlement> {
  const of = { tenantId: ctx.tenantId, operationId };
  // Only a person says so: the database itself never declines.
  if (!done) return refusalSettlement(operationId, NOT_DONE);
  const row = await selectAct(tx, of);
  const { act, attachmentId, changed, was, isNow } = row;
  await answerAct(tx, of);
  const source = (await selectAttachmentName(tx, ctx.tenantId, attachmentId)) ?? attachmentId;
  const subject = subjectOf(attachmentId);
  // A person may settle what nobody can be asked about: then what it changed is not known, and not said.
  const affected = changed ?? 0;
  const skipped = changed === 0 ? [{ id: row.target ?? attachmentId, why: NOBODY }] : [];
  const facts = {
    before: was === undefined ? {} : { state: was },
    after: {
      ...factsOf(row),
      ...{ source, operationId, changed: changed ?? "not known" },
      ...(isNow !== undefined && { state: isNow }),
    },
  };
  const auditId = await audit(ctx, tx, { action: `attached.${act}`, subject, ...facts });
  const answer: ActionAnswer = {
    action: `attached.${act}`,
    ...{ auditId, affected, skipped, subject, changed: affected > 0 },
    ...facts,
  };
  return {
    state: "COMPLETED",
    resource: subject,
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(answer)),
    },
  };
}

const NOT_DONE = new AppError("attached.not_done", 409, "Nothing was changed in the attached database", {
  detail: "A person settled, with evidence, that it did nothing.",
});

/** The function changed no row: its guard did not hold any more. */
export const NOBODY = "It is not as it was: somebody else was first, works on it, or changed it. Nothing was changed.";

const subjectOf = (id: string) => ({ type: "attachment", id }) as const;

function factsOf({ act, target, before, most }: ActTarget) {
  return act === "purge" ? { act, before: before?.toISOString(), most } : { act, row: target };
}
