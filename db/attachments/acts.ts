import type { Queryable } from "@/db/client";
import type { AttachedAct } from "@/domain/attachments/acts";

/** What an operation is to change in an attached database. */
export interface ActTarget {
  readonly attachmentId: string;
  readonly act: AttachedAct;
  /** The id of a row; none of a purge. */
  readonly target: string | undefined;
  /** Of a purge: rows from before, and at most so many. */
  readonly before: Date | undefined;
  readonly most: number | undefined;
}

export interface ActRow extends ActTarget {
  readonly fence: number;
  /** Transaction of theirs in which the function ran; none: nothing was told to commit. */
  readonly xid: string | undefined;
  readonly changed: number | undefined;
  readonly was: string | undefined;
  readonly isNow: string | undefined;
}

/**
 * Keeps what is to be done, before anything is called; an earlier try of the same operation had no effect.
 * @param fence of the claim that may call
 */
export async function insertAct(
  tx: Queryable,
  { tenantId, operationId }: ActOf,
  fence: number,
  { attachmentId, act, target, before, most }: ActTarget,
): Promise<void> {
  await tx.query({
    name: "insert_attached_act",
    text: `insert into onceboard.attached_acts (tenant_id, operation_id, attachment_id, act, target, before, most, fence, prepared_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
           on conflict (tenant_id, operation_id) do update
             set fence = excluded.fence, xid = null, changed = null, was = null, is_now = null, answered_at = null, prepared_at = excluded.prepared_at`,
    values: [tenantId, operationId, attachmentId, act, target ?? null, before ?? null, most ?? null, fence],
  });
}

export interface ActOf {
  readonly tenantId: string;
  readonly operationId: string;
}

/** Stands in the place of a transaction once nothing may be committed any more. */
const NONE = "none";

type Always = "attachmentId" | "act" | "fence";

/** @throws Error when the operation has none: its preparation commits with it */
export async function selectAct(q: Queryable, { tenantId, operationId }: ActOf): Promise<ActRow> {
  const { rows } = await q.query<
    Pick<ActRow, Always> & { [Name in Exclude<keyof ActRow, Always>]: ActRow[Name] | null }
  >({
    name: "attached_act",
    text: `select attachment_id as "attachmentId", act, target, before, most, fence, xid, changed, was, is_now as "isNow"
           from onceboard.attached_acts where tenant_id = $1 and operation_id = $2`,
    values: [tenantId, operationId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`operation ${operationId} has no act`);
  const { attachmentId, act, fence } = row;
  return {
    attachmentId,
    act,
    fence,
    target: row.target ?? undefined,
    before: row.before ?? undefined,
    most: row.most ?? undefined,
    xid: row.xid === NONE ? undefined : (row.xid ?? undefined),
    changed: row.changed ?? undefined,
    was: row.was ?? undefined,
    isNow: row.isNow ?? undefined,
  };
}

/**
 * Keeps what the function returned and in which transaction, before that is committed.
 * @param fence of the claim that calls
 * @returns false when somebody else owns the operation, or asked already what became of it: nothing may be committed then
 */
export async function keepReturned(
  q: Queryable,
  { tenantId, operationId }: ActOf,
  fence: number,
  returned: {
    readonly xid: string;
    readonly changed: number;
    readonly was: string | null;
    readonly isNow: string | null;
  },
): Promise<boolean> {
  const { rowCount } = await q.query({
    name: "keep_attached_return",
    text: `update onceboard.attached_acts set xid = $3, changed = $4, was = $5, is_now = $6
           where tenant_id = $1 and operation_id = $2 and fence = $7 and xid is null`,
    values: [tenantId, operationId, returned.xid, returned.changed, returned.was, returned.isNow, fence],
  });
  return rowCount === 1;
}

/**
 * Closes an act for which nothing was told to commit, so that nothing will be, and reads it.
 * @throws Error as {@link selectAct}
 */
export async function closeUnsent(q: Queryable, of: ActOf): Promise<ActRow> {
  await q.query({
    name: "close_unsent_act",
    text: `update onceboard.attached_acts set xid = $3 where tenant_id = $1 and operation_id = $2 and xid is null`,
    values: [of.tenantId, of.operationId, NONE],
  });
  return selectAct(q, of);
}

/** In the transaction that settles the operation. */
export async function answerAct(tx: Queryable, { tenantId, operationId }: ActOf): Promise<void> {
  await tx.query({
    name: "answer_attached_act",
    text: "update onceboard.attached_acts set answered_at = clock_timestamp() where tenant_id = $1 and operation_id = $2",
    values: [tenantId, operationId],
  });
}

/** Takes back what had no effect. */
export async function deleteAct(tx: Queryable, { tenantId, operationId }: ActOf): Promise<void> {
  await tx.query({
    name: "delete_attached_act",
    text: "delete from onceboard.attached_acts where tenant_id = $1 and operation_id = $2 and answered_at is null",
    values: [tenantId, operationId],
  });
}
