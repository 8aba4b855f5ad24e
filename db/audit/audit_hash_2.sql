-- The link of the audit chain of entries of version 2: every column of the entry but the hash itself. The first member tells it from
-- version 1 (audit_hash), which begins with the chain's name. domain/access/audit-text.ts makes the same without the database.
create or replace function onceboard.audit_hash_2(
  p_previous bytea, p_tenant text, p_id uuid, p_sequence bigint, p_at timestamptz, p_actor_kind text, p_actor_id text, p_actor_name text,
  p_action text, p_subject_type text, p_subject_id text, p_reason text, p_before jsonb, p_after jsonb, p_evidence jsonb, p_request_id text,
  p_key_id text, p_signature bytea
) returns bytea language sql immutable as $$
  select sha256(p_previous || convert_to(jsonb_build_array(2, p_tenant, p_id, p_sequence, (extract(epoch from p_at) * 1000000)::bigint,
    p_actor_kind, p_actor_id, p_actor_name, p_action, p_subject_type, p_subject_id, p_reason, p_before, p_after, p_evidence, p_request_id,
    p_key_id, encode(p_signature, 'hex'))::text, 'utf8'));
$$;
