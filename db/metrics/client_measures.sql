-- How clients used their keys in [p_from, p_to), per minute or hour, client and measure, read from the events, for the report card of a client.
-- `outcome:<outcome>`: what they were told. `again`: requests of a key after its first one, with the sum of their distance from it in
-- ms; `distance:<n>` the same by powers of two (2^n ms up to 2^(n+1)), `distance_max` the longest. `after_window`: those that came when
-- the key's window was over. `fast`: those that came less than 100 ms, the shortest wait of the published schedule, after the
-- request before them of the same client and key. `conflict:<kind>`: foreign (a key of another client), amount, fields, unknown;
-- `conflict_keys`: keys that had their first conflict in it, so that adding up counts no key twice. Actions of the console are left out.
create or replace function onceboard.client_measures(p_tenant text, p_unit text, p_from timestamptz, p_to timestamptz)
returns table (bucket timestamptz, client text, measure text, count integer, sum double precision) language sql stable as $$
  with seen as (
    select date_trunc(p_unit, e.at, 'UTC') as bucket, coalesce(e.client, '') as client, e.id, e.at, e.day, e.operation_id, e.outcome, e.detail,
      e.outcome in ('replayed', 'conflict', 'in_progress', 'expired_retry')
        or (e.outcome = 'unknown' and e.code is distinct from 'dependency.timeout')
        or (e.outcome in ('executed', 'failed', 'unknown') and e.attempt > 1) as again,
      extract(epoch from e.at - lag(e.at) over (partition by e.operation_id, coalesce(e.client, '') order by e.at, e.id))::double precision * 1000
        as gap_ms
    from onceboard.idempotency_events e
    where e.tenant_id = p_tenant and e.at >= p_from - interval '100 milliseconds' and e.at < p_to
      and e.day between ((p_from - interval '100 milliseconds') at time zone 'utc')::date and (p_to at time zone 'utc')::date
      and (e.outcome is not null or e.type = 'claimed') and e.operation not like 'admin.%'),
  -- Read from a little earlier, so that what is too fast does not depend on where the time is cut (onceboard.repeats counts the same).
  told as (select s.* from seen s where s.at >= p_from),
  repeats as (
    select t.bucket, t.client, t.gap_ms, greatest(extract(epoch from t.at - r.created_at)::double precision * 1000, 0) as distance_ms,
      t.outcome = 'expired_retry' or r.expires_at <= t.at as late
    from told t
    left join onceboard.idempotency_requests r on r.tenant_id = p_tenant and r.operation_id = t.operation_id
    where t.again),
  conflicts as (
    select t.bucket, t.client,
      case when (t.detail ->> 'foreignPrincipal')::boolean then 'foreign' when t.detail -> 'differingFields' ? 'amount' then 'amount'
        when t.detail -> 'differingFields' ? 'unknown' then 'unknown' else 'fields' end as kind,
      not exists (select 1 from onceboard.idempotency_events b
        where b.tenant_id = p_tenant and b.operation_id = t.operation_id and b.type = 'conflict' and (b.at, b.id) < (t.at, t.id)
          and b.day between t.day - 31 and t.day) as first
    from told t where t.outcome = 'conflict')
  select t.bucket, t.client, 'outcome:' || t.outcome, count(*)::integer, 0::double precision
  from told t where t.outcome is not null group by 1, 2, 3
  union all
  select r.bucket, r.client, 'again', count(*)::integer, coalesce(sum(r.distance_ms), 0) from repeats r group by 1, 2
  union all
  select r.bucket, r.client, 'distance:' || lpad(width_bucket(r.distance_ms, array(select 2.0::double precision ^ n from generate_series(1, 40) n))::text, 2, '0'), count(*)::integer, sum(r.distance_ms)
  from repeats r where r.distance_ms is not null group by 1, 2, 3
  union all
  select r.bucket, r.client, 'distance_max', 1, max(r.distance_ms) from repeats r where r.distance_ms is not null group by 1, 2
  union all
  select r.bucket, r.client, 'after_window', count(*)::integer, 0 from repeats r where r.late group by 1, 2
  union all
  select r.bucket, r.client, 'fast', count(*)::integer, sum(r.gap_ms) from repeats r where r.gap_ms < 100 group by 1, 2
  union all
  select c.bucket, c.client, 'conflict:' || c.kind, count(*)::integer, 0 from conflicts c group by 1, 2, 3
  union all
  select c.bucket, c.client, 'conflict_keys', count(*)::integer, 0 from conflicts c where c.first group by 1, 2;
$$;
