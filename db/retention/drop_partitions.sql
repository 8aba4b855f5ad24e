-- Drops the day partitions of one table that lie wholly before `before_day`, oldest first, at most `max_days` of them.
-- A day is kept while an operation that is still open has its command or its history in it: what is not settled
-- needs its evidence. A day of bodies is kept as well while it holds one that nobody purged: a tenant may keep its bodies longer
-- than the deployment, and a key that may run again needs the day for its answer. The lock is waited for briefly only; a busy table is left to the next run (55P03).
create or replace function onceboard.drop_partitions(parent text, before_day date, max_days integer)
returns table (partition text, day date, dropped boolean, bytes bigint)
language plpgsql set lock_timeout = '2s' set datestyle = 'ISO' as $$
declare
  found record;
  kept boolean;
begin
  if parent is null
    or parent not in ('idempotency_bodies', 'idempotency_events', 'inbox_arrivals', 'message_attempts', 'outbox_history') then
    raise exception 'drop_partitions: not a table by day' using errcode = '22023';
  end if;
  if before_day > (clock_timestamp() at time zone 'UTC')::date then
    raise exception 'drop_partitions: today and later days stay' using errcode = '22023';
  end if;
  for found in
    select part.name, part.oid, part.upper_bound - 1 as day_of
    from (
      select c.relname::text as name, c.oid as oid,
        substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('(\d{4}-\d\d-\d\d)'\)$re$)::date as upper_bound
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = format('onceboard.%I', parent)::regclass) part
    where part.upper_bound <= before_day
    order by part.upper_bound
    limit max_days
  loop
    kept := parent in ('idempotency_bodies', 'idempotency_events') and exists (
      select 1
      from onceboard.idempotency_open o
      join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
      where case when parent = 'idempotency_bodies' then r.body_day = found.day_of
        else least(r.body_day, (r.created_at at time zone 'UTC')::date) <= found.day_of end);
    if parent = 'idempotency_bodies' and not kept then
      execute format('select exists (select 1 from onceboard.%I b
        join onceboard.idempotency_requests r on r.tenant_id = b.tenant_id and r.operation_id = b.operation_id
        where r.body_purged_at is null)', found.name) into kept;
    end if;
    partition := found.name;
    day := found.day_of;
    dropped := not kept;
    bytes := pg_total_relation_size(found.oid);
    if not kept then
      execute format('drop table onceboard.%I', found.name);
    end if;
    return next;
  end loop;
end
$$;
