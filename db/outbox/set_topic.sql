-- What an operator decides about a topic: transport and destination, or pause and resume; the row is made when it is missing.
-- Each change raises the version. p_version is the one that the caller saw, 0 for none; another one means somebody was faster: no row.
create or replace function onceboard.set_topic(
  p_tenant text, p_topic text, p_version integer, p_transport text, p_destination text, p_paused boolean, p_reason text, p_actor text
) returns setof onceboard.topics language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  insert into onceboard.topics as t (tenant_id, topic, transport, destination, paused_at, paused_by, pause_reason, updated_at, updated_by)
  select p_tenant, p_topic, p_transport, p_destination, case when p_paused then v_now end, case when p_paused then p_actor end,
    case when p_paused then p_reason end, v_now, p_actor
  where p_version = 0 or exists (select 1 from onceboard.topics k where k.tenant_id = p_tenant and k.topic = p_topic)
  on conflict (tenant_id, topic) do update set
    transport = excluded.transport, destination = excluded.destination,
    paused_at = case when p_paused then coalesce(t.paused_at, v_now) end,
    paused_by = case when p_paused then coalesce(t.paused_by, p_actor) end,
    pause_reason = case when p_paused then coalesce(t.pause_reason, p_reason) end,
    version = t.version + 1, updated_at = v_now, updated_by = p_actor
    where t.version = p_version
  returning t.*;
end $$;
