import type { World } from "./world";

/** What a tenant has that nobody else has: ids and names by which it would be known in an answer. */
export interface Tokens {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** By the part of an address that comes before them: `operations` has those of operations. */
  readonly places: Readonly<Record<string, readonly string[]>>;
}

/** What an address names after each of its parts. */
const PLACES_SQL = `select 'operations' as place, operation_id::text as id from onceboard.idempotency_requests where tenant_id = $1
union all select 'outbox', id::text from onceboard.outbox_messages where tenant_id = $1
union all select 'outbox', id::text from onceboard.outbox_history where tenant_id = $1
union all select 'inbox', id::text from onceboard.inbox_messages where tenant_id = $1
union all select 'plans', id::text from onceboard.plans where tenant_id = $1
union all select 'views', id::text from onceboard.saved_views where tenant_id = $1
union all select 'conflicts', id::text from onceboard.idempotency_events where tenant_id = $1 and type = 'conflict'
union all select 'audit', id::text from onceboard.audit_entries where tenant_id = $1
union all select 'webhook-endpoints', id::text from onceboard.webhook_endpoints where tenant_id = $1
union all select 'alert-destinations', id::text from onceboard.alert_destinations where tenant_id = $1
union all select 'event-sources', source from onceboard.event_sources where tenant_id = $1
union all select 'secrets', secret_id from onceboard.event_sources where tenant_id = $1
union all select 'clients', name from onceboard.api_clients where tenant_id = $1
union all select 'keys', id from onceboard.api_keys where tenant_id = $1
union all select 'references', reference from onceboard.idempotency_requests where tenant_id = $1 and reference is not null
union all select 'payments', id::text from payments.payments where tenant_id = $1
union all select 'accounts', id from payments.accounts where tenant_id = $1
union all select 'people', operator_id from onceboard.operator_grants where tenant_id = $1`;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** As `mark()` makes them. */
const NAME = /\b[a-zA-Z]+-[0-9a-f]{12}\b/g;
const SCHEMAS = ["onceboard", "payments"];

async function tablesOf({ host }: World): Promise<readonly string[]> {
  const rows = await host.rows<{ name: string }>(
    `select distinct format('%I.%I', c.table_schema, c.table_name) as name from information_schema.columns c
       join information_schema.tables t on (t.table_schema, t.table_name) = (c.table_schema, c.table_name)
      where c.column_name = 'tenant_id' and t.table_type = 'BASE TABLE' and c.table_schema = any ($1)
        and not exists (select from pg_catalog.pg_inherits i where i.inhrelid = format('%I.%I', c.table_schema, c.table_name)::regclass)
      order by 1`,
    SCHEMAS,
  );
  return rows.map(({ name }) => name);
}

/** When a key was last used is noted beside the request, so it is no change. */
const BESIDE = "{last_used_at}";
/** Who may look into the other tenant, and how they sign in: of no tenant, and nobody else's to change either. */
const PEOPLE = `select 'people' as name, md5(coalesce(string_agg(row, '|' order by row), '')) as digest from (
  select to_jsonb(o)::text || coalesce(to_jsonb(a)::text, '') as row from onceboard.operators o
    join onceboard.operator_grants g on g.operator_id = o.id and g.tenant_id = $1
    left join onceboard.operator_accounts a on a.user_id = o.id) rows`;

/** All rows of the other tenant in one word per table: what a probe must leave as it is. */
export async function digestsOf(world: World): Promise<ReadonlyMap<string, string>> {
  await world.host.deps?.answers.flush();
  const each = (await tablesOf(world)).map(
    (name) => `select '${name}' as name, md5(coalesce(string_agg(row, '|' order by row), '')) as digest
      from (select (to_jsonb(t) - '${BESIDE}'::text[])::text as row from ${name} t where tenant_id = $1) rows`,
  );
  const rows = await world.host.rows<{ name: string; digest: string }>(
    [...each, PEOPLE].join(" union all "),
    world.other,
  );
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Ids and names in the rows of a tenant, those of the access log left out, that no row of the other one has. */
export async function tokensOf(world: World): Promise<Tokens> {
  const tables = await tablesOf(world);
  const textOf = async (tenant: string): Promise<string> => {
    const parts = tables.map(
      (name) => `select (to_jsonb(t) - 'tenant_id')::text as row from ${name} t where tenant_id = $1`,
    );
    const people = `select o.id || ' ' || o.email || ' ' || o.name from onceboard.operators o
      join onceboard.operator_grants g on g.operator_id = o.id where g.tenant_id = $1`;
    return (await world.host.rows<{ row: string }>([...parts, people].join(" union all "), tenant))
      .map(({ row }) => row)
      .join("\n");
  };
  const [own, other] = [await textOf(world.own), await textOf(world.other)];
  const only = (pattern: RegExp): readonly string[] => {
    const known = new Set(own.match(pattern));
    return [...new Set(other.match(pattern))].filter((token) => !known.has(token)).sort();
  };
  const places: Record<string, string[]> = {};
  for (const { place, id } of await world.host.rows<{ place: string; id: string }>(PLACES_SQL, world.other))
    (places[place] ??= []).push(id);
  // Neither is an id or a name of ours, and both lead to a secret.
  const secret = [...(places["keys"] ?? []), ...(places["secrets"] ?? [])];
  return { ids: only(UUID), names: [...new Set([...only(NAME), ...secret])], places };
}
