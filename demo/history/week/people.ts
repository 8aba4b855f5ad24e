import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import type { BookEntry, Person, WeekPeople } from "./audit-book";
import { minutesAfter, type Calendar } from "./calendar";
import { OUTAGE_ERROR, OUTAGE_TOPIC, REQUEUE_REASON } from "./outage-rows";
import { writePlan, type EndedItem } from "./plans";
import { BY_HAND_AFTER, REQUEUED_AFTER } from "./rows";

interface LostRow {
  readonly operation_id: string;
  readonly key: string;
  readonly created_at: Date;
  readonly resource_id: string;
  readonly fence: number;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reference: string;
  readonly resolved_at: Date | null;
  /** The look-up of the plan. */
  readonly planned_at: Date | null;
}

const LOST = `select r.operation_id, r.key, r.created_at, r.resource_id, r.fence, r.amount_minor, r.currency, p.provider_reference as reference,
  (select e.at from onceboard.idempotency_events e where e.tenant_id = $1 and e.operation_id = r.operation_id and e.type = 'resolved') as resolved_at,
  (select max(l.answered_at) from onceboard.provider_requests l where l.tenant_id = $1 and l.operation_id = r.operation_id and l.kind = 'lookup' and l.prepared_at between $2 and $2 + interval '1 minute') as planned_at
from onceboard.idempotency_requests r join payments.payments p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and exists (select 1 from onceboard.provider_requests c where c.tenant_id = $1 and c.operation_id = r.operation_id and c.outcome = 'indefinite')
order by r.created_at`;
const UNKNOWN = "UNKNOWN_REQUIRES_RECOVERY";
const before = (fence: number) => ({
  ...{ operation: "payments.create", state: UNKNOWN, stage: "PROVIDER_REQUEST_SENT", fence, leased: false },
  errorCode: "dependency.timeout",
});

/** The provider was away: one plan for what was unknown, then what stayed so by hand, each with its evidence. */
export async function lostStory(
  tx: Queryable,
  tenant: string,
  people: WeekPeople,
  { timeouts }: Calendar,
): Promise<BookEntry[]> {
  const { planned = timeouts.to } = timeouts;
  const { rows } = await tx.query<LostRow>({ text: LOST, values: [tenant, planned] });
  const items = rows.flatMap((row): EndedItem[] => (row.planned_at === null ? [] : [lostItem(row, row.planned_at)]));
  const reason = "The provider answers again: ask about what is left";
  const createdAt = minutesAfter(planned, -1);
  const plan = { kind: "reconcile_operations", filter: { ids: items.length }, reason, createdAt, items } as const;
  const book = items.length === 0 ? [] : await writePlan(tx, tenant, people, plan);
  const byHand = rows.flatMap((row): BookEntry[] =>
    row.resolved_at === null
      ? []
      : [
          {
            ...{ at: row.resolved_at, by: people.operator, action: "operations.resolve" },
            ...{ subject: { type: "operation", id: row.operation_id }, before: before(row.fence - 1) },
            reason: `The provider's dashboard shows ${row.reference} as paid`,
            after: { state: "COMPLETED", finding: "succeeded", resource: { type: "payment", id: row.resource_id } },
            evidence: { decision: "succeeded", evidence: ["provider_dashboard"], providerReference: row.reference },
          },
        ],
  );
  return [...book, ...byHand];
}

function lostItem(row: LostRow, endedAt: Date): EndedItem {
  const stays = row.resolved_at !== null;
  const after = stays
    ? { state: UNKNOWN, finding: "processing" }
    : { state: "COMPLETED", finding: "succeeded", resource: { type: "payment", id: row.resource_id } };
  return {
    ...{ targetId: row.operation_id, verdict: "ask", why: "Sent, outcome unknown, and nobody holds its lease." },
    label: { operation: "payments.create", kind: "Payment", key: row.key, createdAt: row.created_at.toISOString() },
    ...{ minor: row.amount_minor, currency: row.currency, endedAt, state: stays ? "skipped" : "done" },
    outcome: stays ? "Asked, still unknown: processing." : "Settled: it succeeded.",
    entry: {
      action: "operations.reconcile",
      subject: { type: "operation", id: row.operation_id },
      before: before(row.fence - (stays ? 2 : 1)),
      after,
    },
  };
}

interface DeadRow {
  readonly id: string;
  readonly message_row_id: string;
  readonly type: string;
  readonly operation_id: string;
  readonly dead_at: Date;
  readonly settled_at: Date;
  readonly amount_minor: bigint;
  readonly currency: string;
}

const DEAD = `select d.id, d.message_row_id, d.type, d.operation_id, d.dead_at, d.settled_at, r.amount_minor, r.currency
from onceboard.dead_letters d join onceboard.idempotency_requests r on r.tenant_id = d.tenant_id and r.operation_id = d.operation_id
where d.tenant_id = $1 and d.place = '${OUTAGE_TOPIC}' and d.settlement = 'requeued' order by d.dead_at desc`;

/** The receiver was away for an hour: what died of it went again by one plan that a second person agreed to. */
export async function outageStory(
  tx: Queryable,
  tenant: string,
  people: WeekPeople,
  { outage }: Calendar,
): Promise<BookEntry[]> {
  const { rows } = await tx.query<DeadRow>({ text: DEAD, values: [tenant] });
  if (rows.length === 0) return [];
  const delivered = minutesAfter(outage.to, 1).toISOString();
  const seen = `${delivered.slice(0, 10)} ${delivered.slice(11, 19)} UTC`;
  const items = rows.map((row): EndedItem => {
    const why = "Safe. No consumer has this id.";
    return {
      ...{ targetId: row.id, verdict: "safe", state: "done", outcome: "Requeued.", endedAt: row.settled_at },
      why: `${why} Likely to succeed: another message was delivered there at ${seen}, after it died.`,
      label: {
        ...{ side: "outbox", place: OUTAGE_TOPIC, type: row.type, messageId: row.message_row_id },
        ...{
          error: OUTAGE_ERROR.code,
          deadAt: row.dead_at.toISOString(),
          operationId: row.operation_id,
          outlook: "likely",
        },
      },
      ...{ minor: row.amount_minor, currency: row.currency },
      entry: {
        action: "outbox.requeue",
        subject: { type: "outbox", id: row.message_row_id },
        before: { state: "dead", attempts: 12, errorCode: OUTAGE_ERROR.code, topic: OUTAGE_TOPIC },
        after: { state: "pending", attempts: 0, why },
        evidence: { deadLetterId: row.id, holding: [] },
      },
    };
  });
  const createdAt = minutesAfter(outage.to, REQUEUED_AFTER - 4);
  const filter = { side: "outbox", place: OUTAGE_TOPIC };
  return writePlan(tx, tenant, people, {
    kind: "requeue_dead_letters",
    filter,
    reason: REQUEUE_REASON,
    createdAt,
    items,
  });
}

const MARK = `with mine as (
  select count(*)::integer as count from onceboard.idempotency_events e where e.tenant_id = $1 and e.type = 'conflict' and e.client = $2 and e.operation = $3 and e.at < $4
), marked as (
  insert into onceboard.conflict_marks (tenant_id, client, operation, mark, note, marked_by, marked_at) values ($1, $2, $3, 'client_fault', $5, $6, $4))
select count from mine`;
const NOTE = "Release 4.2 of the till takes the cart's number as key; fixed in 4.2.1, told the team";

/** A release used keys again: marked by a person when it was understood. */
export async function releaseStory(
  tx: Queryable,
  tenant: string,
  { admin, operator }: WeekPeople,
  { release, slip }: Calendar,
): Promise<BookEntry[]> {
  const at = minutesAfter(release.to, 20);
  const values = [tenant, "till-web", "payments.create", at, NOTE, operator.name];
  const { rows } = await tx.query<{ count: number }>({ text: MARK, values });
  return [
    await deployed(tx, tenant, admin, { at: release.from, service: "till-web", version: "2.31.0" }),
    await deployed(tx, tenant, admin, { at: release.to, service: "till-web", version: "2.31.1" }),
    await deployed(tx, tenant, admin, { at: slip.from, service: "till-ios", version: "3.18.0" }),
    await deployed(tx, tenant, admin, { at: slip.to, service: "till-ios", version: "3.18.1" }),
    {
      ...{ at, by: operator, action: "conflicts.mark", reason: NOTE, affected: rows[0]?.count ?? 0 },
      ...{ subject: { type: "conflicts", id: "till-web payments.create" }, before: { mark: null, note: null } },
      after: { mark: "client_fault", note: NOTE },
    },
  ];
}

/** A version of a client that went live, as its pipeline reports one. */
async function deployed(
  tx: Queryable,
  tenant: string,
  by: Person,
  { at, service, version }: { readonly at: Date; readonly service: string; readonly version: string },
): Promise<BookEntry> {
  const id = uuidv7({ msecs: at.getTime() });
  await tx.query({
    text: "insert into onceboard.deploys (tenant_id, id, at, service, version, reported_by, reported_at) values ($1, $2, $3, $4, $5, $6, $3)",
    values: [tenant, id, at, service, version, `operator:${by.id}`],
  });
  return {
    ...{ at, by, action: "deploys.report", subject: { type: "deploy", id }, reason: "", affected: 1 },
    ...{ before: {}, after: { id, service, version, at: at.toISOString(), link: null } },
  };
}

/** What people decided about a topic and a policy: both as they were again afterwards. */
export async function decisions(
  tx: Queryable,
  tenant: string,
  { admin, operator }: WeekPeople,
  { pause, timeouts }: Calendar,
): Promise<BookEntry[]> {
  const policy = { type: "policy", id: "payments.create" };
  const overrides = { waitMs: 5_000 };
  const [changed, restored] = [minutesAfter(timeouts.from, -4), minutesAfter(timeouts.to, BY_HAND_AFTER)];
  const topic = { type: "topic", id: "accounts" };
  const route = { transport: null, destination: null };
  await tx.query({
    text: `insert into onceboard.operation_policies (tenant_id, operation, overrides, version, updated_at, updated_by) values ($1, $2, '{}', 2, $3, $4)`,
    values: [tenant, policy.id, restored, admin.name],
  });
  await tx.query({
    text: `insert into onceboard.topics (tenant_id, topic, version, updated_at, updated_by) values ($1, $2, 2, $3, $4)`,
    values: [tenant, topic.id, pause.to, operator.name],
  });
  return [
    {
      ...{
        at: pause.from,
        by: operator,
        action: "topics.pause",
        subject: topic,
        reason: "The receiver is being moved",
      },
      ...{ before: { ...route, paused: false, version: 0 }, after: { ...route, paused: true, version: 1 } },
    },
    {
      ...{ at: pause.to, by: operator, action: "topics.resume", subject: topic, reason: "The receiver is moved" },
      ...{ before: { ...route, paused: true, version: 1 }, after: { ...route, paused: false, version: 2 } },
    },
    {
      ...{ at: changed, by: admin, action: "policies.write", subject: policy },
      reason: "Wait longer for whoever has the key, before answering that it is in progress",
      ...{ before: { version: 0, overrides: {} }, after: { version: 1, overrides } },
    },
    {
      ...{ at: restored, by: admin, action: "policies.write", subject: policy, reason: "Back to the default" },
      ...{ before: { version: 1, overrides }, after: { version: 2, overrides: {} } },
    },
  ];
}
