-- Nothing is recorded, taken over or audited for a tenant whose rows are in another region's database. Whoever was let through
-- holds its look at the tenants until it commits, which a move waits for before it reads what there is. Errors: OB002.
create or replace function onceboard.require_here(p_tenant text) returns void language plpgsql as $$
begin
  if exists (select 1 from onceboard.tenants t where t.id = p_tenant and t.moved_to is not null) then
    raise exception 'tenant % belongs to another region', p_tenant using errcode = 'OB002';
  end if;
end $$;
