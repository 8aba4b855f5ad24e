-- recorded → processed, in the transaction of the handlers' effects: out of what waits, marked, and told to the roll-up. Returns the
-- ids that were still the caller's; for any other the caller is fenced and rolls its work back. In the order of the ids, as in
-- receive_all: what comes again meanwhile waits for it, never in a circle.
create or replace function onceboard.finish_inbox(p_tenant text, p_ids uuid[], p_fences integer[], p_results text[])
returns setof uuid language plpgsql
-- As in claim_inbox.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with done as (
    delete from onceboard.inbox_open o
    using (select * from unnest(p_ids, p_fences, p_results) as s(id, fence, result) order by s.id) as said
    where o.tenant_id = p_tenant and o.id = said.id and o.fence = said.fence and o.owner is not null
    returning o.id, o.consumer, o.received_at, o.fence, o.attempts_started, o.attempts_finished, said.result),
  told as (
    insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms)
    select p_tenant, v_now, gen_random_uuid(), f.consumer, array_agg(extract(epoch from v_now - f.received_at)::double precision * 1000)
    from done f group by f.consumer)
  update onceboard.inbox_messages m
  set state = 'processed', processed_at = v_now, result = done.result, fence = done.fence, attempts_started = done.attempts_started,
      attempts_finished = done.attempts_finished + 1, last_error = null, last_error_code = null
  from done where m.tenant_id = p_tenant and m.id = done.id
  returning m.id;
end $$;
