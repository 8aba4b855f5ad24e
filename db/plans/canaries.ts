import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { textRows, timeTextOf } from "@/db/query";
import type { CanaryAnswer } from "@/domain/plans/canary";
import type { MessageSide } from "@/domain/messages/side";
import type { ClaimedPlan, WaitingItem } from "./run-plan";

type HeldPlan = Pick<ClaimedPlan, "id" | "fence">;

/** Lets canaries go before the rest of a plan. @returns false once it was started or has ended */
export async function requireCanary(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  return (await callScalar<boolean>(db, "require_canary", [tenantId, id])) === true;
}

/** In the transaction of what the row did. @returns false: the plan is not ours any more */
export async function markCanary(db: Queryable, tenantId: string, plan: HeldPlan, position: number): Promise<boolean> {
  return (await callScalar<boolean>(db, "mark_canary", [tenantId, plan.id, plan.fence, position])) === true;
}

/** Once. @returns false: the plan is not ours any more, or the answer is kept already */
export async function keepCanaryAnswer(
  db: Queryable,
  tenantId: string,
  { id, fence }: HeldPlan,
  { position, answer, detail }: { readonly position: number; readonly answer: CanaryAnswer; readonly detail: string },
): Promise<boolean> {
  return (
    (await callScalar<boolean>(db, "keep_canary_answer", [tenantId, id, fence, position, answer, detail])) === true
  );
}

/** Judges all canaries of a plan by their kept answers. */
export async function endCanary(
  db: Queryable,
  tenantId: string,
  { id, fence }: HeldPlan,
): Promise<"true" | "failed" | "due" | "fenced" | undefined> {
  return callScalar(db, "end_canary", [tenantId, id, fence]);
}

/** The first waiting row of each destination that has no canary yet: of these one goes first. */
export async function canaryCandidates(q: Queryable, tenantId: string, planId: string): Promise<WaitingItem[]> {
  return textRows<WaitingItem>(
    q,
    `select distinct on (i.label ->> 'side', i.label ->> 'place') i.position, i.target_id from onceboard.plan_items i
     where i.tenant_id = $1 and i.plan_id = $2 and i.state = 'waiting'
       and not exists (select 1 from onceboard.plan_items c where c.tenant_id = $1 and c.plan_id = $2 and c.canary_at is not null
         and c.label ->> 'side' = i.label ->> 'side' and c.label ->> 'place' = i.label ->> 'place')
     order by i.label ->> 'side', i.label ->> 'place', i.position`,
    [tenantId, planId],
    "canary_candidates",
  );
}

export interface CanaryRow {
  readonly position: number;
  readonly side: MessageSide;
  readonly place: string;
  readonly placeName?: string | undefined;
  readonly messageId: string;
  readonly type: string;
  readonly at: string;
  readonly answer?: CanaryAnswer | undefined;
  readonly detail?: string | undefined;
  readonly answeredAt?: string | undefined;
  /** What its message is now: `published` and `processed` came through; missing: its row is gone. */
  readonly state?: "pending" | "recorded" | "published" | "processed" | "dead" | "discarded" | undefined;
  readonly attempts: number;
  readonly lastError?: string | undefined;
  readonly paused: boolean;
  /** It has waited longer than it may. */
  readonly late: boolean;
}

/** Canaries of a plan and what their messages are now; one for each destination, so there are few. @param waitMs that one may wait */
export async function selectCanaries(
  q: Queryable,
  tenantId: string,
  planId: string,
  waitMs: number,
): Promise<CanaryRow[]> {
  return textRows<CanaryRow>(
    q,
    `select i.position, i.label ->> 'side' as side, i.label ->> 'place' as place, i.label ->> 'placeName' as place_name,
       i.label ->> 'messageId' as message_id, i.label ->> 'type' as type, ${timeTextOf("i.canary_at")} as at, i.canary_answer as answer,
       i.canary_detail as detail, ${timeTextOf("i.canary_answered_at")} as answered_at,
       coalesce(o.state, case when h.id is null then null else 'published' end, n.state) as state,
       coalesce(o.attempts_finished, n.attempts_finished, 0) as attempts,
       coalesce(o.last_error_code, n.last_error_code) as last_error,
       coalesce(t.paused_at is not null, false) as paused,
       i.canary_at < clock_timestamp() - make_interval(secs => $3 / 1000.0) as late
     from onceboard.plan_items i
     left join onceboard.outbox_messages o on i.label ->> 'side' = 'outbox' and o.tenant_id = $1 and o.id = (i.label ->> 'messageId')::uuid
     left join lateral (select h.id from onceboard.outbox_history h where i.label ->> 'side' = 'outbox' and h.tenant_id = $1
       and h.day >= (i.canary_at at time zone 'UTC')::date and h.id = (i.label ->> 'messageId')::uuid limit 1) h on true
     left join onceboard.inbox_messages n on i.label ->> 'side' = 'inbox' and n.tenant_id = $1 and n.id = (i.label ->> 'messageId')::uuid
     left join onceboard.topics t on i.label ->> 'side' = 'outbox' and t.tenant_id = $1 and t.topic = i.label ->> 'place'
     where i.tenant_id = $1 and i.plan_id = $2 and i.canary_at is not null
     order by i.position`,
    [tenantId, planId, waitMs],
  );
}
