-- Notes that the key store has destroyed its keys of these days of body keys that were destroyed here. Returns the days that were not
-- noted before; the caller's entry in the audit is in the same transaction.
create or replace function onceboard.confirm_destroyed_keys(p_tenant text, p_days date[])
returns table (day date) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  update onceboard.data_keys k set store_destroyed_at = v_now
  where k.tenant_id = p_tenant and k.purpose = 'body' and k.day = any (p_days) and k.destroyed_at is not null
    and k.key_store is not null and k.store_destroyed_at is null
  returning k.day;
end $$;
