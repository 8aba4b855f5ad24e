-- open: the canary of a topic is due now, and so is the waiting message whose turn comes first; the claim takes it and its end decides,
-- as of every canary. Says `due`, or why nothing was changed: `closed`, `out` (a canary is under way), `paused`, `empty` (nothing
-- that waits can go: what is there is under way or in a line behind another).
create or replace function onceboard.test_circuit(p_tenant text, p_topic text) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_row onceboard.topic_circuits%rowtype;
  v_id uuid;
begin
  select * into v_row from onceboard.topic_circuits c where c.tenant_id = p_tenant and c.topic = p_topic for update;
  if v_row.opened_at is null then
    return 'closed';
  end if;
  if v_row.canary_out and v_row.canary_at > v_now then
    return 'out';
  end if;
  if exists (select 1 from onceboard.topics t where t.tenant_id = p_tenant and t.topic = p_topic and t.paused_at is not null) then
    return 'paused';
  end if;
  select d.id into v_id from onceboard.outbox_messages d
  where d.tenant_id = p_tenant and d.topic = p_topic and d.state = 'pending' and (d.locked_until is null or d.locked_until <= v_now)
    and not exists (
      select 1 from onceboard.outbox_messages b
      where b.tenant_id = p_tenant and b.aggregate_type = d.aggregate_type and b.aggregate_id = d.aggregate_id
        and b.position < d.position and b.state <> 'discarded')
  order by d.next_attempt_at, d.position
  limit 1;
  if not found then
    return 'empty';
  end if;
  update onceboard.outbox_messages m set next_attempt_at = v_now where m.tenant_id = p_tenant and m.id = v_id and m.next_attempt_at > v_now;
  update onceboard.topic_circuits c set canary_at = v_now, updated_at = v_now where c.tenant_id = p_tenant and c.topic = p_topic;
  return 'due';
end $$;
