-- Deletes our own books past their retention, in one small batch each: settled dead letters and notifications that went out or had nobody
-- to go to, and what operators asked of services, after the metadata's time as the messages they are about; plans after p_plan_days from their end, rows first. What is open,
-- waits or runs stays. Ids of notifications are UUIDv7, so their old end is read by the key.
create or replace function onceboard.purge_records(p_tenant text, p_metadata_days integer, p_plan_days integer, p_limit integer)
returns integer language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_before timestamptz := v_now - make_interval(days => p_metadata_days);
  v_plans uuid[];
  v_rows integer;
  v_count integer := 0;
begin
  if coalesce(p_metadata_days, 0) < 1 or coalesce(p_plan_days, 0) < 1 then
    raise exception 'purge_records() keeps what is younger than a day' using errcode = '22023';
  end if;
  delete from onceboard.dead_letters d where d.tenant_id = p_tenant and d.id = any (array(
    select o.id from onceboard.dead_letters o
    where o.tenant_id = p_tenant and o.dead_at < v_before and o.settled_at < v_before
    order by o.dead_at limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.notifications n where n.tenant_id = p_tenant and n.id = any (array(
    select o.id from onceboard.notifications o
    where o.tenant_id = p_tenant and o.state <> 'pending' and coalesce(o.sent_at, o.created_at) < v_before
      and o.id < (lpad(to_hex((extract(epoch from v_before) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    order by o.id limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.operator_requests q where q.tenant_id = p_tenant and q.id = any (array(
    select o.id from onceboard.operator_requests o
    where o.tenant_id = p_tenant and o.ended_at < v_before order by o.asked_at limit p_limit for update skip locked));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  select array_agg(e.id) into v_plans from (
    select p.id from onceboard.plans p
    where p.tenant_id = p_tenant and p.created_at < v_now - make_interval(days => p_plan_days) and p.state in ('rejected', 'aborted', 'done')
      and coalesce(p.ended_at, p.decided_at, p.created_at) < v_now - make_interval(days => p_plan_days)
    order by p.created_at limit p_limit for update skip locked) e;
  delete from onceboard.plan_items i where i.tenant_id = p_tenant and i.ctid = any (array(
    select d.ctid from onceboard.plan_items d where d.tenant_id = p_tenant and d.plan_id = any (v_plans) limit p_limit));
  get diagnostics v_rows = row_count;
  v_count := v_count + v_rows;
  delete from onceboard.message_corrections c where c.tenant_id = p_tenant and c.plan_id = any (v_plans);
  delete from onceboard.plans p where p.tenant_id = p_tenant and p.id = any (v_plans)
    and not exists (select 1 from onceboard.plan_items i where i.tenant_id = p_tenant and i.plan_id = p.id);
  get diagnostics v_rows = row_count;
  return v_count + v_rows;
end $$;
