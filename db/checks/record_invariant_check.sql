-- Keeps one run of one invariant. p_violations null: the check did not end in its time.
create or replace function onceboard.record_invariant_check(
  p_tenant text, p_name text, p_violations integer, p_capped boolean, p_duration_ms integer, p_examples jsonb
) returns void language plpgsql as $$
begin
  insert into onceboard.invariant_checks (tenant_id, name, checked_at, violations, capped, duration_ms, examples)
  values (p_tenant, p_name, clock_timestamp(), p_violations, p_capped, p_duration_ms, p_examples)
  on conflict do nothing;
end $$;
