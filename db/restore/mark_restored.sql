-- Once after the database was brought back from a backup, before any process works on it. What happened after the backup is unknown
-- here, so: fences rise beyond those that an old owner may still hold; what may have been sent since is unknown and is asked for at
-- the provider; what had no provider key yet waits for a person; sessions end; and until the hold is over a key that may have been
-- used since is not taken for a new one (claim). For the owner of the tables alone.
create or replace function onceboard.mark_restored(p_actor text, p_hold_hours integer, p_place text)
returns table (at timestamptz, hold_until timestamptz, asked integer, waiting integer, again integer, sessions integer)
language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  -- More than any owner can have raised a fence between the backup and now.
  v_jump constant integer := 100000;
  v_day date := (v_now at time zone 'utc')::date;
  v_hold timestamptz := v_now + make_interval(hours => p_hold_hours);
  v_asked integer;
  v_waiting integer;
  v_again integer;
  v_sessions integer;
begin
  if p_actor is null or coalesce(p_hold_hours, -1) < 0 then
    raise exception 'mark_restored() needs an actor and a number of hours' using errcode = '22023';
  end if;
  create temporary table restored_open on commit drop as
    select o.tenant_id, o.operation_id, o.operation, o.key, o.owner, o.stage,
      case when o.provider_key is not null then 'asked'
           when o.operation like 'admin.%' or exists (
             select from onceboard.operation_kinds k where k.name = o.operation and k.path = 'local') then 'again'
           else 'waiting' end as what
    from onceboard.idempotency_open o;

  update onceboard.idempotency_open o
  set fence = o.fence + v_jump, owner = null,
      locked_until = case r.what when 'again' then v_now end,
      unknown_since = case r.what when 'again' then o.unknown_since else coalesce(o.unknown_since, v_now) end,
      next_check_at = case r.what when 'asked' then v_now when 'waiting' then 'infinity' else o.next_check_at end,
      stage = case when r.what = 'asked' and o.stage = 'LOCAL_PAYMENT_CREATED' then 'PROVIDER_REQUEST_SENT' else o.stage end,
      last_finding = case r.what when 'again' then o.last_finding else 'the database was restored from a backup' end
  from restored_open r where o.tenant_id = r.tenant_id and o.operation_id = r.operation_id;

  update onceboard.idempotency_requests q
  set fence = q.fence + v_jump, updated_at = v_now,
      state = case r.what when 'again' then q.state else 'UNKNOWN_REQUIRES_RECOVERY' end
  from restored_open r where q.tenant_id = r.tenant_id and q.operation = r.operation and q.key = r.key;

  -- May have been claimed again since: its old owner must not share a fence with the next one.
  update onceboard.idempotency_requests q set fence = q.fence + v_jump, updated_at = v_now
  where q.state = 'FAILED_RETRYABLE';

  -- Prepared in the backup, and perhaps sent after it: an absence is believed only once nothing can arrive any more.
  update onceboard.provider_requests p set state = 'sent', sent_at = v_now
  from restored_open r where r.what = 'asked' and p.tenant_id = r.tenant_id and p.operation_id = r.operation_id and p.state = 'prepared';

  insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, actor, fence, detail)
  select r.tenant_id, v_day, gen_random_uuid(), r.operation_id, r.operation, v_now, 'taken_over', p_actor, o.fence,
    jsonb_build_object('from', r.owner, 'stage', r.stage, 'restored', true)
  from restored_open r join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id;

  update onceboard.outbox_messages m set fence = m.fence + v_jump, owner = null, locked_until = null where m.state = 'pending';
  update onceboard.inbox_open i set fence = i.fence + v_jump, owner = null, locked_until = null;

  delete from onceboard.sessions;
  get diagnostics v_sessions = row_count;
  select count(*) filter (where r.what = 'asked'), count(*) filter (where r.what = 'waiting'), count(*) filter (where r.what = 'again')
  into v_asked, v_waiting, v_again from restored_open r;
  drop table restored_open;

  insert into onceboard.restores (id, at, hold_until, actor, detail)
  values (gen_random_uuid(), v_now, v_hold, p_actor, jsonb_build_object(
    'asked', v_asked, 'waiting', v_waiting, 'again', v_again, 'sessions', v_sessions));
  insert into onceboard.database_place (place) values (p_place)
  on conflict (only_row) do update set place = excluded.place, noted_at = v_now;
  return query select v_now, v_hold, v_asked, v_waiting, v_again, v_sessions;
end $$;
