-- Walks the chain of a tenant from one entry on, at most p_limit entries (null: all), and returns the first broken one, or nothing when
-- every link holds. The part begins at the stored hash of the entry before it, which the part before it has checked: parts that meet prove
-- the whole. The end of the chain is compared with its head by the part that reaches it.
create or replace function onceboard.verify_audit_part(p_tenant text, p_from bigint, p_limit integer)
returns table (broken_at bigint, reason text, checked_to bigint, head bigint) language plpgsql as $$
declare
  v_hash bytea := sha256(convert_to(p_tenant, 'utf8'));
  v_sequence bigint := p_from - 1;
  v_entry onceboard.audit_entries%rowtype;
  v_head onceboard.audit_heads%rowtype;
  v_end bigint;
  v_version smallint := 1;
begin
  -- Before and after the walk: entries may be added meanwhile, and each comes with its head.
  select * into v_head from onceboard.audit_heads h where h.tenant_id = p_tenant;
  if p_from > 1 then
    select a.hash, a.hash_version into v_hash, v_version from onceboard.audit_entries a where a.tenant_id = p_tenant and a.sequence = p_from - 1;
    if v_hash is null then
      return query select p_from - 1, 'an entry is missing'::text, p_from - 2, v_head.sequence;
      return;
    end if;
  end if;
  for v_entry in
    select * from onceboard.audit_entries a where a.tenant_id = p_tenant and a.sequence >= p_from order by a.sequence limit p_limit
  loop
    v_sequence := v_sequence + 1;
    if v_entry.sequence <> v_sequence then
      return query select v_sequence, 'an entry is missing'::text, v_sequence - 1, v_head.sequence;
      return;
    end if;
    if v_entry.hash_version < v_version then
      return query select v_sequence, 'an entry goes back to an older rule'::text, v_sequence - 1, v_head.sequence;
      return;
    end if;
    v_version := v_entry.hash_version;
    if v_entry.previous_hash <> v_hash or v_entry.hash is distinct from onceboard.audit_entry_hash(v_entry, v_hash) then
      return query select v_sequence, 'an entry was changed'::text, v_sequence - 1, v_head.sequence;
      return;
    end if;
    v_hash := v_entry.hash;
    if v_sequence = v_head.sequence and v_hash <> v_head.hash then
      return query select v_sequence, 'an entry was changed'::text, v_sequence - 1, v_head.sequence;
      return;
    end if;
  end loop;
  if p_limit is null or v_sequence - p_from + 1 < p_limit then
    select h.sequence into v_end from onceboard.audit_heads h where h.tenant_id = p_tenant;
    if v_head.sequence > v_sequence or coalesce(v_end, 0) < v_sequence then
      return query select v_sequence + 1, 'the end of the chain was cut'::text, v_sequence, v_head.sequence;
      return;
    end if;
  end if;
  return query select null::bigint, null::text, v_sequence, greatest(coalesce(v_head.sequence, 0), v_sequence);
end $$;
