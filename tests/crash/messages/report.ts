import type { Database } from "@/db/client";
import { SIDES } from "@/domain/messages/side";
import type { Drained } from "./drain";
import type { Fleet } from "./fleet";
import type { Poison } from "./load";

interface Seen {
  readonly faults: ReadonlyMap<string, number>;
  readonly drained: Drained;
  /** Milliseconds. */
  readonly underFaults: number;
  readonly fleet: Fleet;
}

const MS_PER_SECOND = 1_000;

/** @returns lines about what was injected and what came of it */
export async function figures(db: Database, tenant: string, seen: Seen): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string; count: number }>({
    text: `select 'published over ' || coalesce(h.transport, 'nothing') as name, count(*)::integer as count
           from onceboard.outbox_history h where h.tenant_id = $1 group by h.transport
           union all select 'handled by ' || i.consumer, count(*)::integer from onceboard.inbox_messages i
           where i.tenant_id = $1 and i.state = 'processed' group by i.consumer
           union all select 'arrived again, known as duplicates', coalesce(sum(i.duplicates), 0)::integer
           from onceboard.inbox_messages i where i.tenant_id = $1
           union all select a.side || ': attempts ' || a.outcome, count(*)::integer from onceboard.message_attempts a
           where a.tenant_id = $1 group by a.side, a.outcome
           union all select w.side || ': leases taken over', count(*)::integer from witness.messages w
           where w.tenant_id = $1 and w.from_owner is not null and w.to_owner is not null and w.to_fence > w.from_fence group by w.side
           order by 1`,
    values: [tenant],
  });
  const { drained, underFaults, fleet } = seen;
  const done = [
    ...[...seen.faults].map(([name, count]) => ({ name, count })),
    { name: "consumers ended by a poisonous message", count: fleet.ended() },
    ...rows,
    { name: "dead letters handed back at the end", count: drained.requeued },
  ];
  const faults = [...seen.faults.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...done.map(({ name, count }) => `  ${String(count).padStart(7)}  ${name}`),
    `messages: ${String(faults)} faults in ${(underFaults / MS_PER_SECOND).toFixed(0)} s, drained in ${(drained.ms / MS_PER_SECOND).toFixed(0)} s, ${String(drained.left)} left`,
  ];
}

/** What becomes of messages that nobody can handle: dead, with the attempts that were lost or failed, and no others are. */
export async function poisonProblems(db: Database, tenant: string, poison: Poison): Promise<string[]> {
  const { rows } = await db.pool.query<PoisonRow>({
    text: `select t.message_id as id, i.state, d.error_code as code,
             (count(a.id) filter (where a.outcome = 'lost'))::integer as lost,
             (count(a.id) filter (where a.outcome in ('failed', 'dead')))::integer as failed
           from witness.troubles t
           left join onceboard.inbox_messages i on i.tenant_id = $1 and i.message_id = t.message_id and i.consumer = 'witness'
           left join onceboard.dead_letters d on d.tenant_id = $1 and d.message_row_id = i.id and d.settled_at is null
           left join onceboard.message_attempts a on a.tenant_id = $1 and a.message_row_id = i.id
           where t.tenant_id = $1 group by t.message_id, i.state, d.error_code`,
    values: [tenant],
  });
  const of = (id: string) => rows.find((row) => row.id === id);
  const problem = (id: string, wanted: string): string =>
    `poison ${id}: ${wanted}, and it is ${JSON.stringify(of(id) ?? null)}`;
  return [
    ...poison.exits
      .filter((id) => !endedItsProcess(of(id)))
      .map((id) => problem(id, "it ends its process, so it must be dead with its lost attempts")),
    ...poison.throws
      .filter((id) => of(id)?.state !== "dead")
      .map((id) => problem(id, "it always fails, so it must be dead")),
    ...poison.passes
      .filter((id) => of(id)?.state !== "processed")
      .map((id) => problem(id, "it fails at first only, so it must be processed")),
  ];
}

interface PoisonRow {
  readonly id: string;
  readonly state: string | null;
  readonly code: string | null;
  readonly lost: number;
  readonly failed: number;
}

/** Each of its attempts was lost, or ended by one of the other faults, and none came after the last. */
function endedItsProcess(row: PoisonRow | undefined): boolean {
  if (row?.state !== "dead" || row.code !== "inbox.poisonous") return false;
  return row.lost > 0 && row.lost + row.failed > SIDES.inbox.maxAttempts;
}
