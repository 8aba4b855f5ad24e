-- Registers what the console must know of an operation, or says it anew. A name belongs to who registered it first: another
-- owner is refused. True when something changed.
create or replace function onceboard.register_operation_kind(
  p_name text, p_owner text, p_label text, p_path text, p_runs_in text default 'service', p_route text default null,
  p_provider text default null, p_dedupes_for_hours double precision default null, p_queryable boolean default null,
  p_actions text[] default '{}', p_expects jsonb default '{}', p_version text default ''
) returns boolean language plpgsql as $$
declare
  v_owner text;
begin
  if p_name like 'admin.%' then
    raise exception 'register_operation_kind: names that begin with admin. are the console''s' using errcode = '22023';
  end if;
  if coalesce(p_owner, '') = '' then
    raise exception 'register_operation_kind: an owner is needed' using errcode = '22023';
  end if;
  if (p_path = 'provider') <> (p_provider is not null) then
    raise exception 'register_operation_kind: a provider is named by path provider and by no other' using errcode = '22023';
  end if;
  if jsonb_typeof(p_expects) is distinct from 'object' then
    raise exception 'register_operation_kind: p_expects must be an object' using errcode = '22023';
  end if;
  insert into onceboard.operation_kinds as k (name, owner, runs_in, label, route, path, provider, dedupes_for_hours, queryable,
    actions, expects, version, updated_at)
  values (p_name, p_owner, p_runs_in, p_label, p_route, p_path, p_provider, p_dedupes_for_hours, p_queryable,
    p_actions, p_expects, p_version, clock_timestamp())
  on conflict (name) do update set runs_in = excluded.runs_in, label = excluded.label, route = excluded.route,
    path = excluded.path, provider = excluded.provider, dedupes_for_hours = excluded.dedupes_for_hours,
    queryable = excluded.queryable, actions = excluded.actions, expects = excluded.expects, version = excluded.version,
    updated_at = excluded.updated_at
  where k.owner = excluded.owner
    and (k.runs_in, k.label, k.route, k.path, k.provider, k.dedupes_for_hours, k.queryable, k.actions, k.expects, k.version)
      is distinct from (excluded.runs_in, excluded.label, excluded.route, excluded.path, excluded.provider,
        excluded.dedupes_for_hours, excluded.queryable, excluded.actions, excluded.expects, excluded.version);
  if found then
    return true;
  end if;
  select k.owner into v_owner from onceboard.operation_kinds k where k.name = p_name;
  if v_owner is distinct from p_owner then
    raise exception 'register_operation_kind: % belongs to %', p_name, v_owner using errcode = '42710';
  end if;
  return false;
end $$;
