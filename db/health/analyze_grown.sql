-- Analyzes tables of the schema that hold several times as many rows as the planner knows of. Autovacuum comes once a minute, and until
-- then sessions keep plans that were made for an empty table, where each index costs the same: a claim may read all keys of its tenant.
-- Returns how many tables. One that somebody else is analyzing or changing is left to the next call.
create or replace function onceboard.analyze_grown(p_limit integer default 8) returns integer language plpgsql as $$
declare
  -- What a plan reads in vain below this is not felt.
  v_least constant integer := 200;
  v_times constant integer := 4;
  v_table text;
  v_count integer := 0;
begin
  for v_table in
    select c.relname from pg_class c
    where c.relnamespace = 'onceboard'::regnamespace and c.relkind = 'r'
      and pg_stat_get_live_tuples(c.oid) >= greatest(v_least, v_times * c.reltuples)
    order by c.reltuples limit p_limit
  loop
    execute format('analyze (skip_locked) onceboard.%I', v_table);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
