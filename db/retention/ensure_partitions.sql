-- Makes the day partitions (UTC) from yesterday to `days` days ahead that are not there yet; returns how many it made.
-- LIKE and ATTACH instead of PARTITION OF: that locks the parent against nothing that traffic does.
-- Two callers at once are fine: the later one finds the table made.
create or replace function onceboard.ensure_partitions(days integer) returns integer
language plpgsql as $$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
  parent text;
  part text;
  bound date;
  made integer := 0;
begin
  if days is null or days < 0 or days > 400 then
    raise exception 'ensure_partitions: days must be between 0 and 400' using errcode = '22023';
  end if;
  foreach parent in array array['idempotency_bodies', 'idempotency_events', 'inbox_arrivals', 'message_attempts', 'outbox_history'] loop
    for ahead in -1 .. days loop
      bound := today + ahead;
      part := parent || '_' || to_char(bound, 'YYYYMMDD');
      continue when to_regclass(format('onceboard.%I', part)) is not null;
      begin
        execute format('create table onceboard.%I (like onceboard.%I including defaults including constraints)', part, parent);
        execute format('alter table onceboard.%I attach partition onceboard.%I for values from (%L) to (%L)',
          parent, part, bound, bound + 1);
        made := made + 1;
      exception when duplicate_table or unique_violation then
        null;
      end;
    end loop;
  end loop;
  return made;
end
$$;
