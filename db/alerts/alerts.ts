import type { Queryable } from "@/db/client";
import type { AlertEnd, AlertFinding, KeptAlert } from "@/domain/alerts/decide";
import type { AlertCondition } from "@/domain/alerts/rules";

/** Alerts of one tenant that have not ended: more are not looked at. */
export const OPEN_ALERTS = 500;

/** The database's time. */
export async function alertClock(q: Queryable): Promise<Date> {
  const { rows } = await q.query<{ at: Date }>({ text: "select clock_timestamp() as at" });
  return rows[0]?.at ?? new Date();
}

/** @returns the database's time before a measurement, with its microseconds: two turns may come within a millisecond */
export async function measureClock(q: Queryable): Promise<string> {
  const { rows } = await q.query<{ at: string }>({ text: "select clock_timestamp()::text as at" });
  return rows[0]?.at ?? "-infinity";
}

/** @returns milliseconds since a tenant's alerts were last judged, by anybody; undefined: never */
export async function alertTurnAge(q: Queryable, tenantId: string): Promise<number | undefined> {
  const { rows } = await q.query<{ age: number }>({
    name: "alert_turn_age",
    text: `select (extract(epoch from clock_timestamp() - at) * 1000)::float8 as age
           from onceboard.alert_turns where tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0]?.age;
}

/**
 * Takes the turn for the rest of the transaction: who comes second waits, and then sees that somebody judged since it measured.
 * @param measuredAt as `measureClock` said it @returns the database's time now; undefined when the measurement is too old
 */
export async function takeAlertTurn(tx: Queryable, tenantId: string, measuredAt: string): Promise<Date | undefined> {
  const { rows } = await tx.query<{ at: Date }>({
    text: `insert into onceboard.alert_turns as t (tenant_id, at) values ($1, clock_timestamp())
           on conflict (tenant_id) do update set at = clock_timestamp() where t.at < $2::timestamptz returning at`,
    values: [tenantId, measuredAt],
  });
  return rows[0]?.at;
}

/** Keeps a tenant's alerts from being judged for the rest of the transaction: whoever judges has done so or waits. */
export async function holdAlertTurn(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query({ text: "select 1 from onceboard.alert_turns where tenant_id = $1 for update", values: [tenantId] });
}

interface AlertRow {
  readonly id: string;
  readonly condition: AlertCondition;
  readonly subject: string;
  readonly level: number;
  readonly value: string;
  readonly threshold: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly seen_at: Date;
  readonly told_at: Date | null;
  readonly clear_since: Date | null;
  readonly ended_at: Date | null;
  readonly ended_as: AlertEnd | null;
}

const COLUMNS =
  "id, condition, subject, level, value::text as value, threshold::text as threshold, facts, seen_at, told_at, clear_since, ended_at, ended_as";

/** An alert with what became of it. */
export interface ShownAlertRow extends KeptAlert {
  readonly toldAt: Date | undefined;
  readonly endedAt: Date | undefined;
  readonly endedAs: AlertEnd | undefined;
}

function alertOf({ threshold, value, ...row }: AlertRow): ShownAlertRow {
  return {
    ...{ id: row.id, condition: row.condition, subject: row.subject, level: row.level, facts: row.facts },
    value: BigInt(value),
    limit: BigInt(threshold),
    seenAt: row.seen_at,
    toldAt: row.told_at ?? undefined,
    clearSince: row.clear_since ?? undefined,
    endedAt: row.ended_at ?? undefined,
    endedAs: row.ended_as ?? undefined,
  };
}

/** Alerts that have not ended, also those of which nobody was told yet, the oldest first. */
export async function selectOpenAlerts(q: Queryable, tenantId: string): Promise<readonly ShownAlertRow[]> {
  const { rows } = await q.query<AlertRow>({
    name: "open_alerts",
    text: `select ${COLUMNS} from onceboard.alerts
           where tenant_id = $1 and ended_at is null order by seen_at, id limit $2`,
    values: [tenantId, OPEN_ALERTS],
  });
  return rows.map(alertOf);
}

/** Alerts that have ended, the newest first. */
export async function selectEndedAlerts(
  q: Queryable,
  tenantId: string,
  limit: number,
): Promise<readonly ShownAlertRow[]> {
  const { rows } = await q.query<AlertRow>({
    name: "ended_alerts",
    text: `select ${COLUMNS} from onceboard.alerts
           where tenant_id = $1 and ended_at is not null order by ended_at desc, id desc limit $2`,
    values: [tenantId, limit],
  });
  return rows.map(alertOf);
}

/** @param id of the new alert @param now by the database's clock */
export async function insertAlert(
  tx: Queryable,
  tenantId: string,
  id: string,
  { condition, subject, value = 0n, limit, facts }: AlertFinding,
  now: Date,
): Promise<void> {
  await tx.query({
    text: `insert into onceboard.alerts (tenant_id, id, condition, subject, value, threshold, facts, seen_at)
           values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)`,
    values: [tenantId, id, condition, subject, value.toString(), limit.toString(), JSON.stringify(facts), now],
  });
}

export interface KeptChange {
  readonly id: string;
  readonly level: number;
  readonly value: bigint;
  readonly limit: bigint;
  readonly facts: Readonly<Record<string, string>>;
  readonly clearSince: Date | undefined;
  /** Set where somebody is told now. */
  readonly toldAt: Date | undefined;
}

export async function updateAlert(tx: Queryable, tenantId: string, change: KeptChange): Promise<void> {
  const { id, level, value, limit, facts, clearSince, toldAt } = change;
  await tx.query({
    text: `update onceboard.alerts set level = $3, value = $4, threshold = $5, facts = $6::jsonb, clear_since = $7,
             told_at = coalesce($8, told_at)
           where tenant_id = $1 and id = $2`,
    values: [tenantId, id, level, value.toString(), limit.toString(), JSON.stringify(facts), clearSince, toldAt],
  });
}

export async function endAlert(tx: Queryable, tenantId: string, id: string, as: AlertEnd, now: Date): Promise<void> {
  await tx.query({
    text: "update onceboard.alerts set ended_at = $3, ended_as = $4 where tenant_id = $1 and id = $2",
    values: [tenantId, id, now, as],
  });
}

/** Of one that nobody was told of: it went away by itself. */
export async function forgetAlert(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query({ text: "delete from onceboard.alerts where tenant_id = $1 and id = $2", values: [tenantId, id] });
}

/** Removes alerts that ended so long ago. @param limit rows of one turn */
export async function purgeAlerts(q: Queryable, tenantId: string, days: number, limit: number): Promise<number> {
  const { rowCount } = await q.query({
    text: `delete from onceboard.alerts a using (
             select id from onceboard.alerts
             where tenant_id = $1 and ended_at < clock_timestamp() - make_interval(days => $2) order by ended_at limit $3) old
           where a.tenant_id = $1 and a.id = old.id`,
    values: [tenantId, days, limit],
  });
  return rowCount ?? 0;
}
