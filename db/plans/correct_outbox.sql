-- What an approval of a correction does, all of it or nothing: the dead message becomes discarded, another one with the corrected body
-- and a new id takes its place in the order of its aggregate, the dead letter is ended as corrected, and the plan is done. Only for a
-- running plan that somebody else than who asked for it decided about. p_position is the row of the plan, p_outcome what stands there.
-- Says corrected; moved when the message is not dead any more; otherwise the state of the plan, null when there is none.
create or replace function onceboard.correct_outbox(
  p_tenant text, p_plan_id uuid, p_new_id uuid, p_payload jsonb, p_actor text, p_reason text, p_outcome text,
  p_tie_days integer default 30
) returns text language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_plan onceboard.plans%rowtype;
  v_correction onceboard.message_corrections%rowtype;
  v_old onceboard.outbox_messages%rowtype;
begin
  select * into v_plan from onceboard.plans p where p.tenant_id = p_tenant and p.id = p_plan_id for update;
  select * into v_correction from onceboard.message_corrections c where c.tenant_id = p_tenant and c.plan_id = p_plan_id for update;
  if v_correction.body is null or v_plan.state <> 'running' or v_plan.decided_by is null or v_plan.decided_by not like 'operator:%'
      or onceboard.same_person(p_tenant, v_plan.created_by, v_plan.decided_by, p_tie_days) is not null then
    return v_plan.state;
  end if;
  update onceboard.outbox_messages m set state = 'discarded', fence = m.fence + 1, owner = null, locked_until = null
  where m.tenant_id = p_tenant and m.id = v_correction.message_id and m.state = 'dead'
  returning * into v_old;
  if not found then
    return 'moved';
  end if;
  -- It takes the place of the dead one in the order: what waits behind that waits for this one now.
  insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at,
    next_attempt_at, position)
  overriding system value
  values (p_tenant, p_new_id, v_old.operation_id, v_old.aggregate_type, v_old.aggregate_id, v_old.topic, v_old.type, p_payload,
    v_old.headers || jsonb_build_object('corrects', v_old.id::text), v_now, v_now, v_old.position);
  -- What the dead one carried is carried by this one.
  update onceboard.notifications n set outbox_id = p_new_id
  where n.tenant_id = p_tenant and n.outbox_id = v_old.id and v_old.headers ? 'notification';
  update onceboard.dead_letters d
  set settled_at = v_now, settled_by = p_actor, settlement = 'corrected', reason = p_reason, corrected_by = p_new_id
  where d.tenant_id = p_tenant and d.side = 'outbox' and d.message_row_id = v_old.id and d.settled_at is null;
  update onceboard.plan_items i set state = 'done', outcome = p_outcome, ended_at = v_now
  where i.tenant_id = p_tenant and i.plan_id = p_plan_id and i.state = 'waiting';
  update onceboard.plans p set state = 'done', ended_at = v_now, ended_by = v_plan.decided_by
  where p.tenant_id = p_tenant and p.id = p_plan_id;
  update onceboard.message_corrections c set body = null, new_message_id = p_new_id
  where c.tenant_id = p_tenant and c.plan_id = p_plan_id;
  return 'corrected';
end $$;
