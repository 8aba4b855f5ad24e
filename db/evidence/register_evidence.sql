-- Names a view or table in which a module or a service shows what its operations left: effects (business rows) or entries (what
-- it posted). Only the owner of this schema calls it: what it names is read with the owner's rights.
create or replace function onceboard.register_evidence(p_owner text, p_holds text, p_relation text) returns void language plpgsql as $$
declare
  v_name text;
  v_owner text;
begin
  perform onceboard.evidence_select(p_holds, p_relation);
  select format('%I.%I', n.nspname, c.relname) into v_name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass(p_relation);
  if v_name is null or coalesce(p_owner, '') = '' then
    raise exception 'register_evidence: an owner and a relation are needed' using errcode = '22023';
  end if;
  insert into onceboard.evidence_relations (owner, holds, relation) values (p_owner, p_holds, v_name) on conflict do nothing;
  select e.owner into v_owner from onceboard.evidence_relations e where e.holds = p_holds and e.relation = v_name;
  if v_owner is distinct from p_owner then
    raise exception 'register_evidence: % belongs to %', v_name, v_owner using errcode = '42710';
  end if;
  perform onceboard.compose_evidence();
end $$;
