-- Lets canaries go before the rest of a plan that has not run. False: there is no such plan, or it has.
create or replace function onceboard.require_canary(p_tenant text, p_id uuid) returns boolean language plpgsql as $$
begin
  update onceboard.plans p set canary = 'due'
  where p.tenant_id = p_tenant and p.id = p_id and p.state in ('ready', 'awaiting_approval');
  return found;
end $$;
