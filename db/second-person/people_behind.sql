-- Who stands behind an actor, itself among them: a person stands behind themselves; behind a client stands whoever ever made
-- one of its keys, since the key was shown to them, whoever holds one of the command line, and whoever stands behind that one. Older
-- keys kept a name: everybody of that name counts. Behind a person stands everybody who is tied to them, in either direction and by any
-- chain, by what happened within p_days (operator_ties). '*' is anybody: a key of scope admin that names no holder opens, or did within the
-- p_days and the week for which a plan waits.
create or replace function onceboard.people_behind(p_tenant text, p_actor text, p_days integer default 30)
returns text[] language sql stable as $$
  with recursive ties as materialized (
    select 'operator:' || t.operator_id as one, 'operator:' || t.tied_to as other
    from onceboard.operator_ties t where t.at > clock_timestamp() - make_interval(days => p_days)),
  behind(actor) as (
    select p_actor
    union
    select next.actor
    from behind b
    cross join lateral (
      select maker.actor
      from onceboard.api_keys k
      cross join lateral (
        select k.created_by
        union all select 'operator:' || o.id from onceboard.operators o where o.name = k.created_by
        union all select 'client:' || c.id from onceboard.api_clients c where c.tenant_id = p_tenant and c.name = k.created_by
        union all select 'operator:' || k.holder
        union all select '*' where k.created_by is null and k.holder is null and 'admin' = any (k.scopes)
          and least(coalesce(k.revoked_at, 'infinity'), coalesce(k.expires_at, 'infinity'))
            > clock_timestamp() - make_interval(days => greatest(p_days, 7))) maker(actor)
      where b.actor like 'client:%' and k.tenant_id = p_tenant and k.client_id = substr(b.actor, 8)
      union all select t.other from ties t where t.one = b.actor
      union all select t.one from ties t where t.other = b.actor) next
    where next.actor is not null)
  select array_agg(actor) from behind
$$;
