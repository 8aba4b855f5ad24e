-- Who stands behind an actor, itself among them: a person stands behind themselves; behind a client stands whoever ever made
-- one of its keys, since the key was shown to them, and whoever stands behind that one. A key of the command line names nobody. Older
-- keys kept a name: everybody of that name counts.
create or replace function onceboard.people_behind(p_tenant text, p_actor text) returns text[] language sql stable as $$
  with recursive behind(actor) as (
    select p_actor
    union
    select maker.actor
    from behind b
    join onceboard.api_keys k on b.actor like 'client:%' and k.tenant_id = p_tenant and k.client_id = substr(b.actor, 8)
    cross join lateral (
      select k.created_by
      union all select 'operator:' || o.id from onceboard.operators o where o.name = k.created_by
      union all select 'client:' || c.id from onceboard.api_clients c where c.tenant_id = p_tenant and c.name = k.created_by) maker(actor)
    where k.created_by is not null)
  select array_agg(actor) from behind
$$;
