-- open → closed: a delivery to the topic worked, or a person wants it tried again. Says whether it was open.
create or replace function onceboard.close_circuit(p_tenant text, p_topic text) returns boolean language plpgsql as $$
declare
  v_opened timestamptz;
begin
  delete from onceboard.topic_circuits c where c.tenant_id = p_tenant and c.topic = p_topic returning c.opened_at into v_opened;
  return v_opened is not null;
end $$;
