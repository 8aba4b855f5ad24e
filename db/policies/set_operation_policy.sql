-- Keeps what a tenant decides otherwise for one operation, when nobody decided since the version that the caller saw;
-- version 0 is "nobody decided yet". Nothing comes back when somebody was first. The row stays when nothing is left in it, so
-- that versions never start over. Keys that are claimed already keep the windows that were stored with them.
create or replace function onceboard.set_operation_policy(
  p_tenant text, p_operation text, p_overrides jsonb, p_expected_version integer, p_by text
) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_version integer;
begin
  if p_overrides is null or jsonb_typeof(p_overrides) <> 'object' then
    raise exception 'set_operation_policy: overrides must be an object' using errcode = '22023';
  end if;
  if p_expected_version = 0 then
    insert into onceboard.operation_policies (tenant_id, operation, overrides, version, updated_at, updated_by)
    values (p_tenant, p_operation, p_overrides, 1, v_now, p_by)
    on conflict do nothing
    returning version into v_version;
  else
    update onceboard.operation_policies o
    set overrides = p_overrides, version = o.version + 1, updated_at = v_now, updated_by = p_by
    where o.tenant_id = p_tenant and o.operation = p_operation and o.version = p_expected_version
    returning o.version into v_version;
  end if;
  return v_version;
end $$;
