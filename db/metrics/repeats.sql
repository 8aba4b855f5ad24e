-- Requests of [p_from, p_to) that used a key again, each with its distance in ms from the request before it of the same client and key;
-- null where there is none within p_back. What counts as again is what onceboard.client_measures counts; a distance of less than 100 ms
-- is reuse too fast. The one before is looked up by the index of operations, so it does not depend on where the time is cut. Actions of
-- the console are left out.
create or replace function onceboard.repeats(p_tenant text, p_from timestamptz, p_to timestamptz, p_back interval)
returns table (at timestamptz, client text, operation_id uuid, gap_ms double precision) language sql stable as $$
  select e.at, coalesce(e.client, ''), e.operation_id, extract(epoch from e.at - before.at)::double precision * 1000
  from onceboard.idempotency_events e
  left join lateral (
    select b.at from onceboard.idempotency_events b
    where b.tenant_id = p_tenant and b.operation_id = e.operation_id and coalesce(b.client, '') = coalesce(e.client, '')
      and b.at between e.at - p_back and e.at and (b.at, b.id) < (e.at, e.id)
      and b.day between ((e.at - p_back) at time zone 'utc')::date and e.day
      and (b.outcome is not null or b.type = 'claimed') and b.operation not like 'admin.%'
    order by b.at desc, b.id desc limit 1) before on true
  where e.tenant_id = p_tenant and e.at >= p_from and e.at < p_to
    and e.day between (p_from at time zone 'utc')::date and (p_to at time zone 'utc')::date
    and e.operation not like 'admin.%'
    and (e.outcome in ('replayed', 'conflict', 'in_progress', 'expired_retry')
      or (e.outcome = 'unknown' and e.code is distinct from 'dependency.timeout')
      or (e.outcome in ('executed', 'failed', 'unknown') and e.attempt > 1));
$$;
