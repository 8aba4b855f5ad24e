-- Writes one message for the relay beside an effect that is no operation's answer: what a consumer sends on, in the transaction of its
-- inbox row. The id is derived from the cause, so a second try writes nothing. complete() writes the messages of an operation itself.
create or replace function onceboard.enqueue_outbox(
  p_tenant text, p_id uuid, p_operation_id uuid, p_aggregate_type text, p_aggregate_id text, p_topic text, p_type text,
  p_payload jsonb, p_headers jsonb
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers,
    created_at, next_attempt_at)
  values (p_tenant, p_id, p_operation_id, p_aggregate_type, p_aggregate_id, p_topic, p_type, p_payload, p_headers, v_now, v_now)
  on conflict (tenant_id, id) do nothing;
  return found;
end $$;
