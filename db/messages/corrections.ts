import { SEALED_MEMBER } from "@/db/outbox/sealed-member";
import { sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { rowsOf, textRows } from "@/db/query";
import type { ChangedPath } from "@/domain/messages/correction";
import type { PlanState } from "@/domain/plans/plan";

/** How the attempts of a message ended, and what else decides whether it may be corrected. */
export interface CorrectionFactsRow {
  readonly id: string;
  readonly operationId?: string | undefined;
  /** Of its body as JSON. */
  readonly bytes: number;
  /** All that its deaths count. */
  readonly made: number;
  /** By end and error. */
  readonly ends: readonly { readonly outcome: string; readonly code: string | null; readonly count: number }[];
  readonly lastError?: string | undefined;
  /** Written so long ago that records of its attempts may be gone. */
  readonly old: boolean;
  /** The plan that would correct it and waits. */
  readonly waiting?: string | undefined;
}

/** What decides about corrections of messages of the outbox: one statement for all of these ids. @param days that attempts are kept */
export async function correctionFacts(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
  days: number,
): Promise<CorrectionFactsRow[]> {
  if (ids.length === 0) return [];
  return rowsOf(
    q,
    sql<CorrectionFactsRow>`select m.id, m.operation_id, coalesce(octet_length(m.payload ->> ${SEALED_MEMBER}) * 3 / 4, octet_length(m.payload::text)) as bytes, m.last_error_code as last_error,
  m.created_at < clock_timestamp() - make_interval(days => ${days}) as old, c.plan_id as waiting,
  coalesce((select sum(d.attempts) from onceboard.dead_letters d
    where d.tenant_id = m.tenant_id and d.side = 'outbox' and d.message_row_id = m.id), 0)::int as made,
  coalesce((select json_agg(e) from (
    select a.outcome, a.error_code as code, count(*)::int as count from onceboard.message_attempts a
    where a.tenant_id = m.tenant_id and a.side = 'outbox' and a.message_row_id = m.id and a.day >= (m.created_at at time zone 'utc')::date
    group by 1, 2) e), '[]'::json) as ends
from onceboard.outbox_messages m
left join onceboard.message_corrections c on c.tenant_id = m.tenant_id and c.message_id = m.id and c.body is not null
where m.tenant_id = ${tenantId} and m.id = any (${sql.param(ids)}::uuid[])`,
    "correction_facts",
  );
}

/** A stored body as JSON with every digit, while the message is in the outbox. */
export async function outboxBodyText(q: Queryable, tenantId: string, id: string): Promise<string | undefined> {
  const rows = await textRows<{ readonly body: string }>(
    q,
    "select m.payload::text as body from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = $2",
    [tenantId, id],
    "outbox_body_text",
  );
  return rows[0]?.body;
}

export interface CorrectionRow {
  readonly planId: string;
  readonly messageId: string;
  readonly deadLetterId: string;
  /** Sealed; missing once the plan has ended. */
  readonly body?: Buffer | undefined;
  readonly bytes: number;
  readonly changes: readonly ChangedPath[];
  readonly newMessageId?: string | undefined;
}

/** What a plan would send, or has sent, in place of a message. */
export async function selectCorrection(
  q: Queryable,
  tenantId: string,
  planId: string,
): Promise<CorrectionRow | undefined> {
  const rows = await textRows<CorrectionRow>(
    q,
    `select c.plan_id, c.message_id, c.dead_letter_id, c.body, c.bytes, c.changes, c.new_message_id
     from onceboard.message_corrections c where c.tenant_id = $1 and c.plan_id = $2`,
    [tenantId, planId],
    "message_correction",
  );
  return rows[0];
}

/** Keeps it beside its plan. @returns false: another correction of the message waits, or it is not dead any more */
export async function keepCorrection(
  tx: Queryable,
  tenantId: string,
  correction: Required<Omit<CorrectionRow, "newMessageId">>,
): Promise<boolean> {
  const { changes, ...row } = correction;
  const args = { tenant: tenantId, ...row, changes: JSON.stringify(changes) };
  return (await callScalar<boolean>(tx, "propose_correction", args)) === true;
}

export interface SentCorrection {
  readonly planId: string;
  readonly newId: string;
  /** JSON. */
  readonly payload: string;
  /** As the dead letter names who proposed and who agreed. */
  readonly actor: string;
  readonly reason: string;
  /** What stands at the row of the plan. */
  readonly outcome: string;
  /** Days for which people who are tied count as one. */
  readonly tieDays: number;
}

/**
 * Sends the corrected message in place of the dead one and ends its plan, in the transaction of the approval.
 * @returns `moved`: it is not dead any more, nothing was changed; a state: the plan does not allow it
 */
export async function correctOutbox(
  tx: Queryable,
  tenantId: string,
  sent: SentCorrection,
): Promise<"corrected" | "moved" | PlanState | undefined> {
  return callScalar(tx, "correct_outbox", { tenant: tenantId, ...sent });
}
