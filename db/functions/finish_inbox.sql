-- recorded → processed, in the transaction of the handlers' effects. Returns the ids that were still the caller's; for any other
-- the caller is fenced and rolls its work back.
create or replace function onceboard.finish_inbox(p_tenant text, p_ids uuid[], p_fences integer[], p_results text[])
returns setof uuid language plpgsql
-- As in claim_inbox.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return query
  update onceboard.inbox_messages m
  set state = 'processed', processed_at = clock_timestamp(), result = done.result, attempts_finished = m.attempts_finished + 1,
      owner = null, locked_until = null, next_attempt_at = null, last_error = null, last_error_code = null
  from unnest(p_ids, p_fences, p_results) as done(id, fence, result)
  where m.tenant_id = p_tenant and m.id = done.id and m.fence = done.fence and m.owner is not null and m.state = 'recorded'
  returning m.id;
end $$;
