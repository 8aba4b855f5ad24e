-- published → pending by an operator: a message that was acknowledged and never arrived goes out once more, under its id and in its place of
-- its aggregate's order, so what is sent is the same bytes and a receiver that has it says duplicate. What still waits of its aggregate waits
-- for it. Its publication moves into `republished`, at most p_max of them. Says republished; moved when it is not published (any more);
-- spent when it was published again that often.
create or replace function onceboard.republish_outbox(p_tenant text, p_id uuid, p_actor text, p_reason text, p_max integer)
returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row onceboard.outbox_history%rowtype;
begin
  if coalesce(p_reason, '') = '' then
    raise exception 'republish_outbox() needs a reason' using errcode = '22023';
  end if;
  select * into v_row from onceboard.outbox_history h where h.tenant_id = p_tenant and h.id = p_id for update;
  -- A person closed it: it was never sent.
  if not found or v_row.transport is null then
    return 'moved';
  end if;
  if jsonb_array_length(coalesce(v_row.republished, '[]')) >= p_max then
    return 'spent';
  end if;
  delete from onceboard.outbox_history h where h.tenant_id = p_tenant and h.day = v_row.day and h.id = p_id;
  insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at,
    next_attempt_at, position, republished)
  overriding system value
  values (p_tenant, p_id, v_row.operation_id, v_row.aggregate_type, v_row.aggregate_id, v_row.topic, v_row.type, v_row.payload, v_row.headers,
    v_row.created_at, v_now, v_row.position, coalesce(v_row.republished, '[]') || jsonb_build_object(
      'publishedAt', to_char(v_row.published_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'publishedBy', v_row.published_by,
      'transport', v_row.transport, 'attempts', v_row.attempts_started,
      'at', to_char(v_now at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'by', p_actor, 'reason', p_reason));
  return 'republished';
end $$;
