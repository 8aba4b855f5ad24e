-- Walks the whole chain of a tenant and returns the first broken entry, or nothing when every link holds up to the head.
create or replace function onceboard.verify_audit(p_tenant text)
returns table (broken_at bigint, reason text, checked bigint) language plpgsql as $$
begin
  return query select p.broken_at, p.reason, p.checked_to from onceboard.verify_audit_part(p_tenant, 1, null) p;
end $$;
