-- The data key of a tenant's day: the one that stands, or the one offered when there is none; without an offer (`p_wrapped` null) no
-- row then. `wrapped` is null when it was destroyed: there is never a second key for a day. `key_store` names the store whose key of
-- the period is needed beside the entry of ENCRYPTION_KEYS; null: none.
create or replace function onceboard.ensure_data_key(
  p_tenant text, p_purpose text, p_day date, p_wrapped_by text, p_wrapped bytea, p_key_store text default null)
returns table (wrapped_by text, wrapped bytea, key_store text) language plpgsql as $$
#variable_conflict use_column
begin
  if p_wrapped is not null then
    insert into onceboard.data_keys (tenant_id, purpose, day, wrapped_by, wrapped, key_store)
    values (p_tenant, p_purpose, p_day, p_wrapped_by, p_wrapped, p_key_store)
    on conflict do nothing;
  end if;
  return query select k.wrapped_by, k.wrapped, k.key_store from onceboard.data_keys k
    where k.tenant_id = p_tenant and k.purpose = p_purpose and k.day = p_day;
end $$;
