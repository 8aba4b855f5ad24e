-- What callers were told, per minute or hour, operation, client and outcome, read from the events. `unknown_entered` counts
-- operations that became unknown: the first caller was told so, or recovery found it.
create or replace function onceboard.metric_rows(p_tenant text, p_unit text, p_from timestamptz, p_to timestamptz)
returns table (bucket timestamptz, operation text, client text, outcome text, count integer, latency_p95_ms double precision,
  latency_max_ms integer, delay_sum_ms bigint, delay_count integer) language sql stable as $$
  with told as (
    select date_trunc(p_unit, e.at, 'UTC') as bucket, e.operation, coalesce(e.client, '') as client, e.outcome,
      e.latency_ms, e.delay_ms,
      (e.type = 'unknown' and e.code = 'dependency.timeout')
        or (e.type = 'reconciled' and e.detail ->> 'from' = 'IN_PROGRESS' and e.detail ->> 'to' = 'UNKNOWN_REQUIRES_RECOVERY') as entered
    from onceboard.idempotency_events e
    where e.tenant_id = p_tenant and e.at >= p_from and e.at < p_to
      and e.day between (p_from at time zone 'utc')::date and (p_to at time zone 'utc')::date
      and (e.outcome is not null or e.type = 'reconciled'))
  select t.bucket, t.operation, t.client, t.outcome, count(*)::integer,
    percentile_cont(0.95) within group (order by t.latency_ms), max(t.latency_ms), sum(t.delay_ms)::bigint, count(t.delay_ms)::integer
  from told t where t.outcome is not null
  group by 1, 2, 3, 4
  union all
  select t.bucket, t.operation, t.client, 'unknown_entered', count(*)::integer, null, null, null, 0
  from told t where t.entered
  group by 1, 2, 3;
$$;
