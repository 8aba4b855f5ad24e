-- Takes a relation out of the views, before its owner drops it or gives its columns other types.
create or replace function onceboard.withdraw_evidence(p_owner text, p_holds text, p_relation text) returns void language plpgsql as $$
begin
  delete from onceboard.evidence_relations e where e.owner = p_owner and e.holds = p_holds and e.relation = p_relation;
  perform onceboard.compose_evidence();
end $$;
