-- Names a unique index by which a module's table decides between two writers at the same moment: the checklist says when it is
-- not there. Only the owner of this schema calls it.
create or replace function onceboard.register_unique(p_owner text, p_name text, p_relation text, p_columns text[])
returns void language plpgsql as $$
begin
  if to_regclass(p_relation) is null then
    raise exception 'register_unique: there is no relation %', p_relation using errcode = '42P01';
  end if;
  insert into onceboard.evidence_constraints as c (owner, name, relation, columns) values (p_owner, p_name, p_relation, p_columns)
  on conflict (owner, name) do update set relation = excluded.relation, columns = excluded.columns;
end $$;
