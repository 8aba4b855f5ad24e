import type { Queryable } from "../client";

/** What a database knows of where a tenant is. */
export interface TenantHome {
  readonly name: string;
  readonly home: string;
  /** Region that has its rows, or gets them. */
  readonly movedTo: string | null;
}

export async function tenantHome(db: Queryable, tenant: string): Promise<TenantHome | undefined> {
  const { rows } = await db.query<TenantHome>({
    text: `select t.name, t.home_region as home, t.moved_to as "movedTo" from onceboard.tenants t where t.id = $1`,
    values: [tenant],
  });
  return rows[0];
}

/**
 * Waits until every transaction that looked at a tenant has ended and lets none look meanwhile; held until the end of this one. What is
 * written after it knows what this one changes.
 */
export async function stopLooks(tx: Queryable): Promise<void> {
  await tx.query({ text: "lock table onceboard.tenants in access exclusive mode" });
}

export async function setHome(
  tx: Queryable,
  tenant: string,
  { home, movedTo }: Pick<TenantHome, "home" | "movedTo">,
): Promise<void> {
  await tx.query({
    text: "update onceboard.tenants t set home_region = $2, moved_to = $3 where t.id = $1",
    values: [tenant, home, movedTo],
  });
}

/** Makes the tenant known where it will be, as one of the region where it still is. */
export async function announceTenant(tx: Queryable, tenant: string, name: string, home: string): Promise<void> {
  await tx.query({
    text: `insert into onceboard.tenants as t (id, name, home_region) values ($1, $2, $3)
           on conflict (id) do update set name = excluded.name, home_region = excluded.home_region`,
    values: [tenant, name, home],
  });
}

/** @returns owners that may still end what they began */
export async function ownersAtWork(db: Queryable, tenant: string): Promise<number> {
  const { rows } = await db.query<{ owners: number }>({
    text: "select count(*)::int as owners from onceboard.idempotency_open o where o.tenant_id = $1 and o.locked_until > clock_timestamp()",
    values: [tenant],
  });
  return rows[0]?.owners ?? 0;
}

/** Events of answers of so long ago are written down. */
const JUST_BEFORE = "1 minute";

/** @returns the time of the database a minute ago */
export async function justBefore(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>({ text: `select now() - interval '${JUST_BEFORE}' as at` });
  return rows[0]?.at ?? new Date(0);
}

/** @returns events of the tenant since then; it grows while processes write down what they answered */
export async function eventsSince(db: Queryable, tenant: string, since: Date): Promise<number> {
  const { rows } = await db.query<{ events: number }>({
    text: `select count(*)::int as events from onceboard.idempotency_events e
           where e.tenant_id = $1 and e.at >= $2 and e.day >= ($2::timestamptz at time zone 'utc')::date`,
    values: [tenant, since],
  });
  return rows[0]?.events ?? 0;
}

/** Raises the fence of whatever has an owner, whose writes touch nothing from then on, and ends its lease. @returns how many */
export async function fenceOwners(tx: Queryable, tenant: string): Promise<number> {
  const { rowCount } = await tx.query({
    text: `with fenced as (
             update onceboard.idempotency_open o set fence = o.fence + 1, locked_until = clock_timestamp()
             where o.tenant_id = $1 and o.locked_until is not null returning o.operation, o.key, o.fence)
           update onceboard.idempotency_requests r set fence = f.fence from fenced f
           where r.tenant_id = $1 and r.operation = f.operation and r.key = f.key`,
    values: [tenant],
  });
  return rowCount ?? 0;
}

/** What two databases must have in common before rows of one go into the other: migrations, functions, and those of modules. */
export async function schemaVersion(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ version: string }>({
    text: `select jsonb_build_array(
        (select jsonb_agg(m.hash order by m.created_at) from onceboard.migrations m),
        (select split_part(f.revision, ' ', 1) from onceboard.functions_revision f),
        (select jsonb_agg(jsonb_build_array(m.module, m.name, m.hash) order by m.module, m.name) from onceboard.module_migrations m))::text as version`,
  });
  return rows[0]?.version ?? "";
}

/** @returns schemas of the modules that this database has tables of */
export async function moduleSchemas(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ module: string }>({
    text: "select distinct m.module from onceboard.module_migrations m order by 1",
  });
  return rows.map(({ module }) => module);
}

/** @returns kinds of services in other languages that the tenant has operations of */
export async function serviceKinds(db: Queryable, tenant: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    text: `select k.name from onceboard.operation_kinds k where k.runs_in = 'service'
             and exists (select 1 from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation = k.name) order by 1`,
    values: [tenant],
  });
  return rows.map(({ name }) => name);
}
