-- What a tenant decided for an operation, in the units of claim(); null where it decided nothing, so that the service's own value
-- holds. Always one row. It writes nothing; it is volatile so that it runs with its owner's rights for a service that reads no table.
create or replace function onceboard.operation_policy(p_tenant text, p_operation text)
returns table (
  version integer, ttl_seconds integer, metadata_days integer, lease_ms integer, max_attempts integer, expired text,
  mismatch_status integer, in_flight text, wait_ms integer, failures text, refusals text, replay text,
  in_progress_retry_after integer, unknown_retry_after integer, scope text, key text, new_key text
) language plpgsql as $$
begin
  return query
  select coalesce(p.version, 0), (p.overrides ->> 'ttlHours')::integer * 3600, (p.overrides ->> 'metadataTtlDays')::integer,
    (p.overrides ->> 'leaseSeconds')::integer * 1000, (p.overrides ->> 'maxAttempts')::integer, p.overrides ->> 'expired',
    (p.overrides ->> 'mismatchStatus')::integer, p.overrides ->> 'inFlight', (p.overrides ->> 'waitMs')::integer,
    p.overrides ->> 'failures', p.overrides ->> 'refusals', p.overrides ->> 'replay',
    (p.overrides ->> 'inProgressRetryAfter')::integer, (p.overrides ->> 'unknownRetryAfter')::integer,
    p.overrides ->> 'scope', p.overrides ->> 'key', p.overrides ->> 'newKey'
  from (values (1)) as one(row)
  left join onceboard.operation_policies p on p.tenant_id = p_tenant and p.operation = p_operation;
end $$;
