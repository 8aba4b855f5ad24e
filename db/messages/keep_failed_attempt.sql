-- The evidence of a failed attempt of either side, and the dead letter when it was the last one. Called by fail_outbox and
-- fail_inbox in their transaction.
create or replace function onceboard.keep_failed_attempt(
  p_tenant text, p_side text, p_id uuid, p_message_row_id uuid, p_place text, p_type text, p_operation_id uuid, p_attempt integer,
  p_owner text, p_fence integer, p_dead boolean, p_error_code text, p_error text, p_error_fingerprint text, p_at timestamptz
) returns void language plpgsql as $$
begin
  insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome,
    error_code, error, error_fingerprint)
  values (p_tenant, (p_at at time zone 'utc')::date, p_id, p_side, p_message_row_id, p_place, p_attempt, p_owner, p_fence, p_at,
    case when p_dead then 'dead' else 'failed' end, p_error_code, p_error, p_error_fingerprint);
  if p_dead then
    insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error,
      attempts, dead_at)
    values (p_tenant, p_id, p_side, p_message_row_id, p_place, p_type, p_operation_id, p_error_fingerprint, p_error_code, p_error, p_attempt, p_at)
    on conflict do nothing;
  end if;
end $$;
