-- Makes the views `effects` and `entries` read what is registered now, and leaves a view alone that does already: to replace one
-- waits for everybody who reads it. A relation that is no longer there is left out.
create or replace function onceboard.compose_evidence() returns void language plpgsql as $$
declare
  v_holds text;
  v_text text;
begin
  -- Two who register at once compose one after the other.
  lock table onceboard.evidence_relations in share row exclusive mode;
  foreach v_holds in array array['effects', 'entries'] loop
    select coalesce(string_agg(onceboard.evidence_select(v_holds, e.relation), E'\nunion all ' order by e.relation),
      onceboard.evidence_select(v_holds, null))
    into v_text
    from onceboard.evidence_relations e
    where e.holds = v_holds and to_regclass(e.relation) is not null;
    continue when md5(v_text) = obj_description(to_regclass('onceboard.' || v_holds), 'pg_class');
    execute format('create or replace view onceboard.%I as %s', v_holds, v_text);
    execute format('comment on view onceboard.%I is %L', v_holds, md5(v_text));
  end loop;
end $$;
