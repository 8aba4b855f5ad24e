-- The link of the audit chain, one place for writing and for verifying.
create or replace function onceboard.audit_hash(
  p_previous bytea, p_tenant text, p_sequence bigint, p_at timestamptz, p_actor_kind text, p_actor_id text, p_actor_name text,
  p_action text, p_subject_type text, p_subject_id text, p_reason text, p_before jsonb, p_after jsonb, p_evidence jsonb, p_request_id text
) returns bytea language sql immutable as $$
  select sha256(p_previous || convert_to(jsonb_build_array(p_tenant, p_sequence, (extract(epoch from p_at) * 1000000)::bigint, p_actor_kind,
    p_actor_id, p_actor_name, p_action, p_subject_type, p_subject_id, p_reason, p_before, p_after, p_evidence, p_request_id)::text, 'utf8'));
$$;
