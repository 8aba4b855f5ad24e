-- Walks the chain of a tenant and returns the first broken entry, or nothing when every link holds up to the head.
create or replace function onceboard.verify_audit(p_tenant text)
returns table (broken_at bigint, reason text, checked bigint) language plpgsql as $$
declare
  v_hash bytea := sha256(convert_to(p_tenant, 'utf8'));
  v_sequence bigint := 0;
  v_entry onceboard.audit_entries%rowtype;
  v_head onceboard.audit_heads%rowtype;
  v_end bigint;
begin
  -- Before and after the walk: entries may be added meanwhile, and each comes with its head.
  select * into v_head from onceboard.audit_heads h where h.tenant_id = p_tenant;
  for v_entry in select * from onceboard.audit_entries a where a.tenant_id = p_tenant order by a.sequence loop
    v_sequence := v_sequence + 1;
    if v_entry.sequence <> v_sequence then
      return query select v_sequence, 'an entry is missing'::text, v_sequence - 1;
      return;
    end if;
    if v_entry.previous_hash <> v_hash or v_entry.hash <> onceboard.audit_hash(v_hash, p_tenant, v_entry.sequence, v_entry.at,
      v_entry.actor_kind, v_entry.actor_id, v_entry.actor_name, v_entry.action, v_entry.subject_type, v_entry.subject_id,
      v_entry.reason, v_entry.before, v_entry.after, v_entry.evidence, v_entry.request_id) then
      return query select v_sequence, 'an entry was changed'::text, v_sequence - 1;
      return;
    end if;
    v_hash := v_entry.hash;
    if v_sequence = v_head.sequence and v_hash <> v_head.hash then
      return query select v_sequence, 'an entry was changed'::text, v_sequence - 1;
      return;
    end if;
  end loop;
  select h.sequence into v_end from onceboard.audit_heads h where h.tenant_id = p_tenant;
  if v_head.sequence > v_sequence or coalesce(v_end, 0) < v_sequence then
    return query select v_sequence + 1, 'the end of the chain was cut'::text, v_sequence;
    return;
  end if;
  return query select null::bigint, null::text, v_sequence;
end $$;
