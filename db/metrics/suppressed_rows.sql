-- What replays of operations with an amount would have moved once more had each of them run, per minute or hour, operation, client
-- and currency, read from the events of [p_from, p_to); the amount comes from the operation, by its index. Only a kept success counts: a
-- refusal that was told again would have moved nothing, and whoever was told "in progress" or "unknown" gets a replay later or none. A
-- sum beyond bigint stays at its end. What has no metadata any more has no amount.
create or replace function onceboard.suppressed_rows(p_tenant text, p_unit text, p_from timestamptz, p_to timestamptz)
returns table (bucket timestamptz, operation text, client text, currency text, count integer, sum_minor bigint) language sql stable as $$
  with told as (
    select date_trunc(p_unit, e.at, 'UTC') as bucket, e.operation, coalesce(e.client, '') as client, e.operation_id, count(*) as times
    from onceboard.idempotency_events e
    where e.tenant_id = p_tenant and e.at >= p_from and e.at < p_to
      and e.day between (p_from at time zone 'utc')::date and (p_to at time zone 'utc')::date
      and e.outcome = 'replayed' and e.status between 200 and 299
    group by 1, 2, 3, 4)
  select t.bucket, t.operation, t.client, r.currency, sum(t.times)::integer, least(sum(t.times * r.amount_minor), 9223372036854775807)::bigint
  from told t
  join onceboard.idempotency_requests r on r.tenant_id = p_tenant and r.operation_id = t.operation_id
  where r.amount_minor is not null and r.currency is not null
  group by 1, 2, 3, 4;
$$;
