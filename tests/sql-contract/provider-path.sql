-- The provider path: the claim is committed, the call is journalled before it leaves, the answer comes under the fence. Then a
-- dead owner, a late one, and an outcome that nobody knows. What psql prints is compared with provider-path.out.
\set ON_ERROR_STOP on
\set op '''0198f000-0000-7000-8000-000000000011'''
\set request '''0198f000-0000-7000-8000-00000000c011'''
\set fingerprint 'sha256(''command'')'

\echo 1 claim, prepare, mark, answer, confirm, complete: each step once and in this order
select outcome, fence from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-1', p_operation_id => :op,
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-1');
select onceboard.mark_sent(p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_request => :request) as too_early;
select onceboard.prepare_provider(
  p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_id => :request, p_provider_key => 'invoice_1',
  p_provider => 'mailhouse', p_kind => 'send', p_amount => 1999, p_currency => 'EUR') as prepared;
select onceboard.mark_sent(p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_request => :request) as sent;
select onceboard.answer_provider(p_tenant => 'acme', p_request => :request, p_outcome => 'succeeded', p_reference => 'letter_1');
select onceboard.confirm_provider(p_tenant => 'acme', p_operation_id => :op, p_fence => 1) as confirmed;
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_state => 'COMPLETED', p_status => 201) as completed;

\echo 2 an owner with a lease of one millisecond dies before it sends; meanwhile others are told
select outcome, fence from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-2',
  p_operation_id => '0198f000-0000-7000-8000-000000000012', p_principal => 'billing', p_fingerprint => :fingerprint,
  p_owner => 'psql-1', p_lease_ms => 60000);
select outcome, stage, locked_until > asked_at as leased from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-2', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-2');
select count(*) as taken_from_a_live_owner from onceboard.take_over(
  p_tenant => 'acme', p_owner => 'psql-2', p_operation_id => '0198f000-0000-7000-8000-000000000012', p_now_please => true);
select outcome, fence from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-3',
  p_operation_id => '0198f000-0000-7000-8000-000000000013', p_principal => 'billing', p_fingerprint => :fingerprint,
  p_owner => 'psql-1', p_lease_ms => 1);
-- The database's own clock has to pass that millisecond.
select from pg_sleep(0.01);
select outcome, stage from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-3', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-2');

\echo 3 somebody takes it over: the fence is raised, and nothing that the late owner writes is taken
select count(*) as not_mine_to_recover from onceboard.take_over(
  p_tenant => 'acme', p_owner => 'psql-2', p_limit => 10, p_operations => '{payments.create}');
select key, fence, stage, state, previous_owner from onceboard.take_over(
  p_tenant => 'acme', p_owner => 'psql-2', p_limit => 10, p_operations => '{invoices.issue}');
\set late '''0198f000-0000-7000-8000-000000000013'''
select onceboard.prepare_provider(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 1, p_id => gen_random_uuid(), p_provider_key => 'invoice_3',
  p_provider => 'mailhouse', p_kind => 'send') as late_prepare;
select onceboard.mark_unknown(p_tenant => 'acme', p_operation_id => :late, p_fence => 1) as late_unknown;
select onceboard.fail_retryable(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 1, p_error_code => 'x') as late_failure;
\set ON_ERROR_STOP off
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 1, p_state => 'COMPLETED', p_status => 201) as late_answer;
\echo :SQLSTATE
\set ON_ERROR_STOP on

\echo 4 nothing was sent: the key is free, and the next request runs again as attempt 2, up to a ceiling
select onceboard.fail_retryable(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 2, p_error_code => 'transient.owner_lost') as released;
select outcome, attempts from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-3', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-2', p_max_attempts => 1);
select outcome, operation_id = :late as same_operation, fence, attempts from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-3', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-2');

\echo 5 sent, and no answer came: unknown; a look-up that is due or asked for settles it
select onceboard.prepare_provider(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 3, p_id => '0198f000-0000-7000-8000-00000000c013',
  p_provider_key => 'invoice_3', p_provider => 'mailhouse', p_kind => 'send') as prepared;
select onceboard.mark_sent(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 3, p_request => '0198f000-0000-7000-8000-00000000c013') as sent;
select onceboard.mark_unknown(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 3, p_error_code => 'dependency.timeout') as doubtful;
select outcome, state, error_code from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-3', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-2');
select count(*) as not_due_yet from onceboard.take_over(
  p_tenant => 'acme', p_owner => 'psql-2', p_limit => 10, p_operations => '{invoices.issue}');
select fence, stage, provider_key, state from onceboard.take_over(
  p_tenant => 'acme', p_owner => 'psql-2', p_operation_id => :late, p_now_please => true);
select onceboard.journal_provider_request(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 4, p_id => '0198f000-0000-7000-8000-00000000c014',
  p_provider_key => 'invoice_3', p_provider => 'mailhouse', p_kind => 'lookup') as may_ask;
select onceboard.answer_provider(
  p_tenant => 'acme', p_request => '0198f000-0000-7000-8000-00000000c014', p_outcome => 'succeeded',
  p_reference => 'letter_3');
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => :late, p_fence => 4, p_state => 'COMPLETED', p_status => 201,
  p_body => '\x00'::bytea || convert_to('{"invoice":"3"}', 'utf8'), p_event_id => null) as completed;
select outcome, state, attempts, convert_from(substr(body, 2), 'utf8') as body from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.issue', p_key => 'provider-3', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => :fingerprint, p_owner => 'psql-2');

\echo 6 what callers were told is recorded, in batches of any size; the same event twice is one
select onceboard.record_events(format('[{"tenant_id": "acme", "id": "0198f000-0000-7000-8000-00000000d001",
  "operation_id": "%s", "operation": "invoices.issue", "at": "%s", "type": "replayed", "outcome": "replayed",
  "client": "billing", "status": 201, "latency_ms": 3}]', :late, now())::jsonb) as recorded;
select onceboard.record_events(format('[{"tenant_id": "acme", "id": "0198f000-0000-7000-8000-00000000d001",
  "operation_id": "%s", "operation": "invoices.issue", "at": "%s", "type": "replayed", "outcome": "replayed",
  "client": "billing", "status": 201, "latency_ms": 3}]', :late, now())::jsonb) as recorded;
