import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { sumAmounts, type PlanKindName } from "@/domain/plans/plan";
import { approvalNeeded } from "@/presentation/plan/plan-approval";
import type { BookEntry, WeekPeople } from "./audit-book";
import { minutesAfter } from "./calendar";

/** A row of a plan that has ended. */
export interface EndedItem {
  readonly targetId: string;
  readonly label: Readonly<Record<string, string>>;
  readonly verdict: string;
  readonly why: string;
  readonly minor: bigint;
  readonly currency: string;
  readonly state: "done" | "skipped";
  readonly outcome: string;
  readonly endedAt: Date;
  /** Of the audit: what became of its operation or message. */
  readonly entry: Pick<BookEntry, "action" | "subject" | "before" | "after"> & { readonly evidence?: object };
}

export interface EndedPlan {
  readonly kind: PlanKindName;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly createdAt: Date;
  readonly items: readonly EndedItem[];
}

/** Minutes between asking for a plan and the second person's yes, and before one person starts it alone. */
const DECIDED_AFTER = 4;
const STARTED_AFTER = 1;

const PLAN = `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, amounts, created_at, created_by, approval_needed, decided_at, decided_by, decision_reason,
  started_at, started_by, ended_at, ended_by, owner, fence)
values ($1, $2, $3, 'done', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'worker-1', null, 1)`;
const ITEMS = `insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason, amount_minor, currency, state, outcome, ended_at)
select $1, $2, i.position, i.target, i.label, i.verdict, i.why, i.minor, i.currency, i.state, i.outcome, i.ended
from unnest($3::uuid[], $4::jsonb[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::timestamptz[])
  with ordinality as i(target, label, verdict, why, minor, currency, state, outcome, ended, position)`;

/** Keeps a plan that has run. @returns what people and the worker did about it */
export async function writePlan(
  tx: Queryable,
  tenant: string,
  people: WeekPeople,
  { kind, filter, reason, createdAt, items }: EndedPlan,
): Promise<BookEntry[]> {
  const { operator, approver } = people;
  const id = uuidv7({ msecs: createdAt.getTime() });
  const amounts = sumAmounts(items.map(({ minor, currency }) => ({ acts: true, amount: { minor, currency } })))
    .map(({ currency, minor }) => ({ currency, minor }))
    .sort((a, b) => (a.minor > b.minor ? -1 : 1));
  const needed = approvalNeeded(kind, { acting: items.length, amounts });
  const kept = amounts.map(({ currency, minor }) => ({ currency, minor: minor.toString() }));
  const startedAt = minutesAfter(createdAt, needed === undefined ? STARTED_AFTER : DECIDED_AFTER);
  const starter = needed === undefined ? operator : approver;
  const decided =
    needed === undefined
      ? [null, null, null]
      : [startedAt, `operator:${approver.id}`, "Checked: the receiver answers again"];
  const endedAt = new Date(Math.max(...items.map((item) => item.endedAt.getTime())) + 400);
  await tx.query({
    text: PLAN,
    values: [
      ...[tenant, id, kind, JSON.stringify(filter), reason, items.length, JSON.stringify(kept)],
      ...[createdAt, `operator:${operator.id}`, needed, ...decided, startedAt, `operator:${starter.id}`, endedAt],
    ],
  });
  await tx.query({
    text: ITEMS,
    values: [
      ...[tenant, id, items.map(({ targetId }) => targetId), items.map(({ label }) => JSON.stringify(label))],
      ...[items.map(({ verdict }) => verdict), items.map(({ why }) => why), items.map(({ minor }) => minor.toString())],
      ...[items.map(({ currency }) => currency), items.map(({ state }) => state), items.map(({ outcome }) => outcome)],
      items.map((item) => item.endedAt),
    ],
  });
  const subject = { type: "plan", id };
  const [verdict = ""] = items.map((item) => item.verdict);
  const facts = { planId: id, kind, filter, total: items.length, acting: items.length, skipping: 0, amounts: kept };
  const state = needed === undefined ? "ready" : "awaiting_approval";
  const steps: BookEntry[] = [
    {
      ...{ at: createdAt, by: operator, action: "plans.create", subject, reason, before: {}, affected: items.length },
      after: { ...facts, verdicts: { [verdict]: items.length }, state, approvalNeeded: needed ?? null },
    },
    needed === undefined
      ? {
          ...{ at: startedAt, by: operator, action: "plans.start", subject, reason, affected: items.length },
          ...{ before: { state }, after: { state: "running" } },
        }
      : {
          ...{ at: startedAt, by: approver, action: "plans.decide", subject, affected: items.length },
          ...{
            reason: "Checked: the receiver answers again",
            before: { state },
            after: { state: "running", decision: "approve" },
          },
        },
  ];
  const rows = items.map(({ entry, endedAt: at, state: ended }): BookEntry => ({
    ...entry,
    ...{ at, by: "plans", reason, affected: ended === "done" ? 1 : 0 },
    evidence: { planId: id, startedBy: starter.name, ...entry.evidence },
  }));
  return [...steps, ...rows];
}
