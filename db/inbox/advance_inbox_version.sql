-- Notes that a consumer handles this version of an aggregate, in the handler's transaction. False: it has handled this one or a newer
-- one, so the message that came late is superseded and changes nothing.
create or replace function onceboard.advance_inbox_version(
  p_tenant text, p_consumer text, p_source text, p_aggregate text, p_version bigint, p_message_id text
) returns boolean language plpgsql as $$
begin
  insert into onceboard.inbox_versions as v (tenant_id, consumer, source, aggregate, version, message_id, updated_at)
  values (p_tenant, p_consumer, p_source, p_aggregate, p_version, p_message_id, clock_timestamp())
  on conflict (tenant_id, consumer, source, aggregate) do update
    set version = excluded.version, message_id = excluded.message_id, updated_at = excluded.updated_at
    where v.version < excluded.version;
  return found;
end $$;
