-- Adds up requests that left no operation, by hour, client and code: without a key, with a bad one, not a command at all. The
-- only roll-up that adds: what was refused at the door is kept nowhere else. In the order of its key, so two batches never wait in a
-- circle. Returns how many rows it touched.
create or replace function onceboard.record_refusals(p_refusals jsonb) returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer;
begin
  insert into onceboard.metric_refusals as k (tenant_id, bucket, client, code, count)
  select r.tenant_id, date_trunc('hour', v_now, 'UTC'), r.client, r.code, sum(r.count)::integer
  from jsonb_to_recordset(p_refusals) as r(tenant_id text, client text, code text, count integer)
  group by 1, 2, 3, 4
  order by 1, 3, 4
  on conflict (tenant_id, bucket, client, code) do update set count = k.count + excluded.count;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
