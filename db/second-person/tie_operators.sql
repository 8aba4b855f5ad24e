-- p_tied_to invited p_operator, made a link for them, took their second factor off or changed their role: from now on both count as one person
-- for the days that a deployment says. The time is the database's, and the last one counts.
create or replace function onceboard.tie_operators(p_operator text, p_tied_to text, p_why text) returns void language sql as $$
  insert into onceboard.operator_ties as t (operator_id, tied_to, why, at)
  values (p_operator, p_tied_to, p_why, clock_timestamp())
  on conflict (operator_id, tied_to, why) do update set at = excluded.at
$$;
