-- Records an arrival before anything is handled. Says recorded, duplicate (same id, same payload: the same bytes, or the same
-- members in another order) or mismatch (same id, other payload: flagged, never handled). p_alone: its consumer crosses to somewhere else, so it never shares a transaction.
-- p_document_hash: document_hash() of what is inside a payload that our own code sealed, with what SQL reads of a provider's event; null for one in clear.
create or replace function onceboard.receive(
  p_tenant text, p_id uuid, p_arrival_id uuid, p_consumer text, p_source text, p_message_id text, p_type text, p_operation_id uuid,
  p_payload jsonb, p_payload_hash bytea, p_headers jsonb, p_request_id text, p_alone boolean default false,
  p_document_hash bytea default null, p_provider_key text default null, p_provider_status text default null
) returns table (outcome text, inbox_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_id uuid;
  v_outcome text := 'recorded';
begin
  perform onceboard.require_here(p_tenant);
  insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, operation_id, payload, payload_hash, headers,
    received_at, document_hash, provider_key, provider_status)
  values (p_tenant, p_id, p_consumer, p_source, p_message_id, p_type, p_operation_id, p_payload, p_payload_hash, p_headers, v_now,
    p_document_hash, p_provider_key, p_provider_status)
  on conflict (tenant_id, consumer, source, message_id) do nothing
  returning id into v_id;
  if found then
    insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, alone)
    values (p_tenant, p_id, p_consumer, v_now, v_now, p_alone);
  else
    select m.id, case when m.payload_hash = p_payload_hash then 'duplicate'
      -- Where one of the two is sealed, what they say is compared by its hash.
      when m.document_hash is null and p_document_hash is null then case when m.payload = p_payload then 'duplicate' else 'mismatch' end
      when coalesce(m.document_hash, onceboard.document_hash(m.payload)) = coalesce(p_document_hash, onceboard.document_hash(p_payload))
        then 'duplicate' else 'mismatch' end
    into strict v_id, v_outcome from onceboard.inbox_messages m
    where m.tenant_id = p_tenant and m.consumer = p_consumer and m.source = p_source and m.message_id = p_message_id;
    update onceboard.inbox_messages m
    set duplicates = m.duplicates + (case when v_outcome = 'duplicate' then 1 else 0 end),
        mismatches = m.mismatches + (case when v_outcome = 'mismatch' then 1 else 0 end)
    where m.tenant_id = p_tenant and m.id = v_id;
  end if;
  insert into onceboard.inbox_arrivals (tenant_id, day, id, inbox_id, at, outcome, payload_hash, request_id)
  values (p_tenant, (v_now at time zone 'utc')::date, p_arrival_id, v_id, v_now, v_outcome, p_payload_hash, p_request_id);
  return query select v_outcome, v_id;
end $$;
