-- What a tenant decided otherwise, for all its operations. It is volatile so that it runs with its owner's rights: a service that
-- may read no table obeys the tenant's policies too.
create or replace function onceboard.operation_overrides(p_tenant text) returns table (operation text, overrides jsonb)
language sql volatile as $$
  select p.operation, p.overrides from onceboard.operation_policies p where p.tenant_id = p_tenant
$$;
