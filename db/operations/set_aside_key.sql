-- The name under which an expired operation stays when its key makes room for a new command.
create or replace function onceboard.set_aside_key(p_key text, p_operation_id uuid) returns text language sql immutable as $$
  select p_key || ' (expired ' || p_operation_id || ')'
$$;
