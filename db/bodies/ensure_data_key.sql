-- The data key of a tenant's day: the one that stands, or the one offered when there is none. `wrapped` is null when it was
-- destroyed: there is never a second key for a day.
create or replace function onceboard.ensure_data_key(p_tenant text, p_purpose text, p_day date, p_wrapped_by text, p_wrapped bytea)
returns table (wrapped_by text, wrapped bytea) language plpgsql as $$
#variable_conflict use_column
begin
  insert into onceboard.data_keys (tenant_id, purpose, day, wrapped_by, wrapped)
  values (p_tenant, p_purpose, p_day, p_wrapped_by, p_wrapped)
  on conflict do nothing;
  return query select k.wrapped_by, k.wrapped from onceboard.data_keys k
    where k.tenant_id = p_tenant and k.purpose = p_purpose and k.day = p_day;
end $$;
