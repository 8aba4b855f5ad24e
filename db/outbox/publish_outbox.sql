-- pending → published: moves acknowledged messages to the history of the day, each by the fence it was claimed with; a fence is
-- spent once its message was given back. Wakes the next message of each aggregate, and marks what the messages carried as sent.
create or replace function onceboard.publish_outbox(p_tenant text, p_ids uuid[], p_fences integer[], p_transport text)
returns setof uuid language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with moved as (
    delete from onceboard.outbox_messages m
    using unnest(p_ids, p_fences) as done(id, fence)
    where m.tenant_id = p_tenant and m.id = done.id and m.fence = done.fence and m.owner is not null and m.state = 'pending'
    returning m.*
  ),
  -- Written also when it is due: a relay that is just putting it off, because it still saw the one before, is waited for or has its
  -- row changed under it.
  woken as (
    update onceboard.outbox_messages f set next_attempt_at = v_now
    from (
      select next.id from moved m
      cross join lateral (
        select n.id, n.state from onceboard.outbox_messages n
        where n.tenant_id = p_tenant and n.aggregate_type = m.aggregate_type and n.aggregate_id = m.aggregate_id
          and n.position > m.position and n.state <> 'discarded'
        order by n.position limit 1) next
      where next.state = 'pending') w
    where f.tenant_id = p_tenant and f.id = w.id),
  told as (
    update onceboard.notifications n set state = 'sent', sent_at = v_now, attempts = m.attempts_started
    from moved m where m.headers ? 'notification' and n.tenant_id = p_tenant and n.outbox_id = m.id)
  insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at,
    attempts_started, attempts_finished, last_error, last_error_code, day, position, published_at, published_by, transport, republished)
  select m.tenant_id, m.id, m.operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, m.created_at,
    m.attempts_started, m.attempts_finished + 1, m.last_error, m.last_error_code,
    (v_now at time zone 'utc')::date, m.position, v_now, m.owner, p_transport, m.republished
  from moved m
  returning id;
end $$;
