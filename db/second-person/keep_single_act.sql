-- Notes an act of one row beside its effect, for weigh_plan, which the same transaction called before and whose lock it holds. What is too
-- old to count goes.
create or replace function onceboard.keep_single_act(
  p_tenant text, p_kind text, p_actor text, p_amount bigint, p_currency text, p_minutes integer
) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  delete from onceboard.single_acts s
  where s.tenant_id = p_tenant and s.kind = p_kind and s.at <= v_now - make_interval(mins => p_minutes);
  insert into onceboard.single_acts (tenant_id, kind, actor, at, amount_minor, currency)
  values (p_tenant, p_kind, p_actor, v_now, p_amount, p_currency);
end $$;
