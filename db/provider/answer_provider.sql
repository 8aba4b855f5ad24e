-- Keeps what the provider said to one call that was sent, once. A fact, so it is written whoever holds the fence now.
create or replace function onceboard.answer_provider(
  p_tenant text, p_request uuid, p_outcome text, p_reference text default null, p_detail text default null
) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update onceboard.provider_requests r
  set state = 'answered', outcome = p_outcome, provider_reference = coalesce(p_reference, r.provider_reference),
      detail = p_detail, answered_at = v_now
  where r.tenant_id = p_tenant and r.id = p_request and r.state = 'sent';
end $$;
