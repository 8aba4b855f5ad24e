-- receive() of many arrivals: what is new is recorded by one statement for all of them, in the order of its unique index, and whatever
-- is there already goes through receive() in the order of its ids, like finish_inbox: whoever has the same messages waits for the other,
-- never in a circle. Answers in the order of the arrivals.
create or replace function onceboard.receive_all(
  p_tenants text[], p_ids uuid[], p_arrival_ids uuid[], p_consumers text[], p_sources text[], p_message_ids text[], p_types text[],
  p_operation_ids uuid[], p_payloads jsonb[], p_payload_hashes bytea[], p_headers jsonb[], p_request_ids text[], p_alone boolean[],
  p_document_hashes bytea[] default null, p_provider_keys text[] default null, p_provider_statuses text[] default null
) returns table (outcome text, inbox_id uuid) language plpgsql
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_order integer[];
  v_outcomes text[] := array_fill('recorded'::text, array[cardinality(p_ids)]);
  v_ids uuid[] := p_ids;
  v_said record;
  n integer;
begin
  perform onceboard.require_here(t) from (select distinct unnest(p_tenants) as t) named;
  with arrived as materialized (
    select * from unnest(p_tenants, p_ids, p_arrival_ids, p_consumers, p_sources, p_message_ids, p_types, p_operation_ids, p_payloads,
      p_payload_hashes, p_headers, p_request_ids, p_alone, p_document_hashes, p_provider_keys, p_provider_statuses) with ordinality
      as a(tenant_id, id, arrival_id, consumer, source, message_id, type, operation_id, payload, payload_hash, headers, request_id, alone,
        document_hash, provider_key, provider_status, n)),
  recorded as (
    insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, operation_id, payload, payload_hash, headers, received_at,
      document_hash, provider_key, provider_status)
    select a.tenant_id, a.id, a.consumer, a.source, a.message_id, a.type, a.operation_id, a.payload, a.payload_hash, a.headers, v_now,
      a.document_hash, a.provider_key, a.provider_status
    from arrived a order by a.tenant_id, a.message_id, a.source, a.consumer, a.n
    on conflict (tenant_id, consumer, source, message_id) do nothing
    returning id),
  new as materialized (select a.* from arrived a where a.id in (select r.id from recorded r)),
  waiting as (
    insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, alone)
    select a.tenant_id, a.id, a.consumer, v_now, v_now, a.alone from new a),
  told as (
    insert into onceboard.inbox_arrivals (tenant_id, day, id, inbox_id, at, outcome, payload_hash, request_id)
    select a.tenant_id, (v_now at time zone 'utc')::date, a.arrival_id, a.id, v_now, 'recorded', a.payload_hash, a.request_id from new a)
  select array_agg(a.n) into v_order from arrived a where not exists (select 1 from new where new.n = a.n);
  if v_order is not null then
    select array_agg(o.n order by m.id, o.n) into v_order from unnest(v_order) as o(n)
    left join onceboard.inbox_messages m on m.tenant_id = p_tenants[o.n] and m.consumer = p_consumers[o.n]
      and m.source = p_sources[o.n] and m.message_id = p_message_ids[o.n];
  end if;
  foreach n in array coalesce(v_order, '{}') loop
    select r.outcome, r.inbox_id into v_said from onceboard.receive(p_tenants[n], p_ids[n], p_arrival_ids[n], p_consumers[n],
      p_sources[n], p_message_ids[n], p_types[n], p_operation_ids[n], p_payloads[n], p_payload_hashes[n], p_headers[n], p_request_ids[n],
      p_alone[n], p_document_hashes[n], p_provider_keys[n], p_provider_statuses[n]) r;
    v_outcomes[n] := v_said.outcome;
    v_ids[n] := v_said.inbox_id;
  end loop;
  return query select u.outcome, u.id from unnest(v_outcomes, v_ids) with ordinality as u(outcome, id, place) order by u.place;
end $$;
