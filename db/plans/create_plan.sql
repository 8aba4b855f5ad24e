-- Freezes bulk work: the plan and its rows with the verdict of the dry run. A row whose verdict is to leave it alone has ended
-- as skipped already; only what would act waits. Says how many wait.
create or replace function onceboard.create_plan(
  p_tenant text, p_id uuid, p_kind text, p_filter jsonb, p_reason text, p_actor text, p_approval_needed text,
  p_targets uuid[], p_labels jsonb[], p_verdicts text[], p_verdict_reasons text[], p_acts boolean[],
  p_amounts bigint[], p_currencies text[]
) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_waiting integer;
begin
  if coalesce(p_reason, '') = '' then
    raise exception 'create_plan() needs a reason' using errcode = '22023';
  end if;
  insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, amounts, created_at, created_by, approval_needed)
  values (p_tenant, p_id, p_kind, case when p_approval_needed is null then 'ready' else 'awaiting_approval' end, p_filter, p_reason,
    coalesce(cardinality(p_targets), 0),
    coalesce((select jsonb_agg(jsonb_build_object('currency', s.currency, 'minor', s.minor::text) order by s.minor desc)
      from (select a.currency, sum(a.amount) as minor from unnest(p_amounts, p_currencies, p_acts) as a(amount, currency, acts)
        where a.acts and a.amount is not null and a.currency is not null group by 1) s), '[]'), v_now, p_actor, p_approval_needed);
  insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason, amount_minor, currency,
    state, outcome, ended_at)
  select p_tenant, p_id, row.n, row.target, row.label, row.verdict, row.why, row.amount, row.currency, case when row.acts then 'waiting' else 'skipped' end,
    case when row.acts then null else row.why end, case when row.acts then null else v_now end
  from unnest(p_targets, p_labels, p_verdicts, p_verdict_reasons, p_acts, p_amounts, p_currencies)
    with ordinality as row(target, label, verdict, why, acts, amount, currency, n);
  select count(*)::integer into v_waiting from unnest(p_acts) as acts where acts;
  return v_waiting;
end $$;
