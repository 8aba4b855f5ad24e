-- The hash that an entry must have behind the hash of the one before it, by the rule that its version names.
create or replace function onceboard.audit_entry_hash(p_entry onceboard.audit_entries, p_previous bytea)
returns bytea language sql immutable as $$
  select case (p_entry).hash_version
    when 1 then onceboard.audit_hash(p_previous, (p_entry).tenant_id, (p_entry).sequence, (p_entry).at, (p_entry).actor_kind,
      (p_entry).actor_id, (p_entry).actor_name, (p_entry).action, (p_entry).subject_type, (p_entry).subject_id, (p_entry).reason,
      (p_entry).before, (p_entry).after, (p_entry).evidence, (p_entry).request_id)
    when 2 then onceboard.audit_hash_2(p_previous, (p_entry).tenant_id, (p_entry).id, (p_entry).sequence, (p_entry).at,
      (p_entry).actor_kind, (p_entry).actor_id, (p_entry).actor_name, (p_entry).action, (p_entry).subject_type, (p_entry).subject_id,
      (p_entry).reason, (p_entry).before, (p_entry).after, (p_entry).evidence, (p_entry).request_id, (p_entry).key_id,
      (p_entry).signature)
  end;
$$;
