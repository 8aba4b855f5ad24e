-- Notes that the key store has destroyed its keys of these days of body keys that were destroyed here. The first time a day is
-- noted the audit says so. Returns those days.
create or replace function onceboard.confirm_destroyed_keys(p_tenant text, p_days date[], p_actor text)
returns table (day date) language plpgsql as $$
#variable_conflict use_column
declare
  v_days date[];
  v_store text;
begin
  with noted as (
    update onceboard.data_keys k set store_destroyed_at = clock_timestamp()
    where k.tenant_id = p_tenant and k.purpose = 'body' and k.day = any (p_days) and k.destroyed_at is not null
      and k.key_store is not null and k.store_destroyed_at is null
    returning k.day, k.key_store
  )
  select array_agg(n.day order by n.day), max(n.key_store) into v_days, v_store from noted n;
  if v_days is null then
    return;
  end if;
  perform onceboard.append_audit(p_tenant, gen_random_uuid(), 'system', p_actor, p_actor, 'body_keys.destroyed', 'key_store', v_store,
    null, null, jsonb_build_object('days', to_jsonb(v_days)), null, null);
  return query select unnest(v_days);
end $$;
