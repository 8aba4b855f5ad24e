-- What else whoever asks may let act alone, so that one plan in pieces still needs its second person: rows that act in plans of this
-- kind that nobody else had to agree to, asked for by the same person in whatever way, and that are ready, run, or ran within
-- p_minutes, a row that is a batch for as many as it has; and what the same person did one by one within them. A row that the new plan has too counts there, once. Plans and single acts
-- of one kind of a tenant are weighed one after the other, each until its commit, so of two at once the later one sees the earlier.
create or replace function onceboard.weigh_plan(
  p_tenant text, p_kind text, p_actor text, p_targets uuid[], p_minutes integer, p_tie_days integer default 30
) returns table (plans integer, singles integer, acting integer, amounts jsonb) language plpgsql as $$
declare
  v_since timestamptz;
  v_own text[];
  v_plans uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('onceboard.plan ' || p_tenant || ' ' || p_kind, 0));
  v_since := clock_timestamp() - make_interval(mins => p_minutes);
  with recent as materialized (
    select p.id, p.created_by from onceboard.plans p
    where p.tenant_id = p_tenant and p.kind = p_kind and p.approval_needed is null
      and (p.state = 'ready' or (p.started_at is not null and coalesce(p.ended_at, 'infinity') > v_since))),
  own as materialized (
    select a.actor from (
      select r.created_by as actor from recent r
      union select s.actor from onceboard.single_acts s where s.tenant_id = p_tenant and s.kind = p_kind and s.at > v_since) a
    where onceboard.same_person(p_tenant, a.actor, p_actor, p_tie_days) is not null)
  select array_agg(r.id) filter (where r.id is not null), array_agg(distinct o.actor) into v_plans, v_own
  from own o left join recent r on r.created_by = o.actor;
  return query
  with planned as (
    select distinct on (i.target_id) i.plan_id, i.amount_minor, i.currency, coalesce((i.label ->> 'rows')::integer, 1) as weight
    from onceboard.plan_items i join onceboard.plans p on p.tenant_id = p_tenant and p.id = i.plan_id
    where i.tenant_id = p_tenant and i.plan_id = any (v_plans) and i.target_id <> all (p_targets)
      and not (i.state = 'skipped' and i.outcome is not distinct from i.verdict_reason)
      and not (i.state = 'waiting' and p.state = 'aborted')
    order by i.target_id, i.plan_id),
  rows as (
    select n.plan_id, n.amount_minor, n.currency, n.weight from planned n
    union all
    select null, s.amount_minor, s.currency, 1 from onceboard.single_acts s
    where s.tenant_id = p_tenant and s.kind = p_kind and s.at > v_since and s.actor = any (v_own))
  select count(distinct r.plan_id)::integer, count(*) filter (where r.plan_id is null)::integer, coalesce(sum(r.weight), 0)::integer,
    coalesce((select jsonb_agg(jsonb_build_object('currency', s.currency, 'minor', s.minor::text) order by s.minor desc)
      from (select m.currency, sum(m.amount_minor) as minor from rows m
        where m.amount_minor is not null and m.currency is not null group by 1) s), '[]')
  from rows r;
end $$;
