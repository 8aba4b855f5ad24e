-- The same data key under another entry of ENCRYPTION_KEYS, or under a key store where it had none; nothing happens when it was
-- rewrapped or destroyed meanwhile.
create or replace function onceboard.rewrap_data_key(
  p_tenant text, p_purpose text, p_day date, p_from text, p_from_store text, p_to text, p_to_store text, p_wrapped bytea
) returns boolean language plpgsql as $$
begin
  update onceboard.data_keys k set wrapped_by = p_to, wrapped = p_wrapped, key_store = p_to_store
  where k.tenant_id = p_tenant and k.purpose = p_purpose and k.day = p_day and k.wrapped_by = p_from
    and k.key_store is not distinct from p_from_store and k.wrapped is not null;
  return found;
end $$;
