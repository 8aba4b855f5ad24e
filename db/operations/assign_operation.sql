-- Says who looks after an open operation; p_to null: nobody. One row with who did before, none when it is not open (any more).
create or replace function onceboard.assign_operation(p_tenant text, p_operation_id uuid, p_to text)
returns table (was text) language plpgsql as $$
declare
  v_was text;
begin
  select o.assigned_to into v_was from onceboard.idempotency_open o
  where o.tenant_id = p_tenant and o.operation_id = p_operation_id for update;
  if not found then
    return;
  end if;
  update onceboard.idempotency_open o set assigned_to = p_to where o.tenant_id = p_tenant and o.operation_id = p_operation_id;
  return query select v_was;
end $$;
