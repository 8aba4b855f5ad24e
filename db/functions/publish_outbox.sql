-- pending → published: moves acknowledged messages to the history of the day, each by the fence it was claimed with;
-- a fence is spent once its message was given back.
create or replace function onceboard.publish_outbox(p_tenant text, p_ids uuid[], p_fences integer[])
returns setof uuid language sql as $$
  with moved as (
    delete from onceboard.outbox_messages m
    using unnest(p_ids, p_fences) as done(id, fence)
    where m.tenant_id = p_tenant and m.id = done.id and m.fence = done.fence and m.owner is not null and m.state = 'pending'
    returning m.*
  )
  insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at,
    attempts_started, attempts_finished, last_error, last_error_code, day, position, published_at)
  select m.tenant_id, m.id, m.operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, m.created_at,
    m.attempts_started, m.attempts_finished + 1, m.last_error, m.last_error_code,
    (clock_timestamp() at time zone 'utc')::date, m.position, clock_timestamp()
  from moved m
  returning id;
$$;
