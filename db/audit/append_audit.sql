-- Adds one entry to the tenant's audit chain. The hash covers the entry before it and every column of this one, in the text form
-- of jsonb, so that an edit, a deletion or another order shows. Key and signature are of the process that calls, where it has a key.
create or replace function onceboard.append_audit(
  p_tenant text, p_id uuid, p_actor_kind text, p_actor_id text, p_actor_name text, p_action text, p_subject_type text,
  p_subject_id text, p_reason text, p_before jsonb, p_after jsonb, p_evidence jsonb, p_request_id text, p_key_id text default null,
  p_signature bytea default null
) returns bigint language plpgsql as $$
declare
  v_head onceboard.audit_heads%rowtype;
  v_at timestamptz;
  v_hash bytea;
begin
  perform onceboard.require_here(p_tenant);
  insert into onceboard.audit_heads (tenant_id, sequence, hash) values (p_tenant, 0, sha256(convert_to(p_tenant, 'utf8')))
  on conflict do nothing;
  select * into strict v_head from onceboard.audit_heads h where h.tenant_id = p_tenant for update;
  v_at := clock_timestamp();
  v_hash := onceboard.audit_hash_2(v_head.hash, p_tenant, p_id, v_head.sequence + 1, v_at, p_actor_kind, p_actor_id, p_actor_name,
    p_action, p_subject_type, p_subject_id, p_reason, p_before, p_after, p_evidence, p_request_id, p_key_id, p_signature);
  insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id,
    reason, before, after, evidence, request_id, previous_hash, hash, hash_version, key_id, signature)
  values (p_tenant, p_id, v_head.sequence + 1, v_at, p_actor_kind, p_actor_id, p_actor_name, p_action, p_subject_type, p_subject_id,
    p_reason, p_before, p_after, p_evidence, p_request_id, v_head.hash, v_hash, 2, p_key_id, p_signature);
  update onceboard.audit_heads h set sequence = v_head.sequence + 1, hash = v_hash where h.tenant_id = p_tenant;
  return v_head.sequence + 1;
end $$;
