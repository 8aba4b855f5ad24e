-- The local path: claim, the service's own rows and the answer in one transaction; then replay, conflict and what else a key
-- may answer. Run as a login in onceboard_service; what psql prints is compared with local-path.out.
\set ON_ERROR_STOP on
\set op '''0198f000-0000-7000-8000-000000000001'''
\set command 'convert_to(''{"customer":"cus_1","amount":"1999"}'', ''utf8'')'

\echo 1 the first request claims the key and completes in the same transaction
begin;
select outcome, state, fence, attempts from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => :op,
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-1',
  p_command => '\x00'::bytea || :command, p_event_id => null);
insert into billing.invoices (id, operation_id, customer, amount, status)
  values ('0198f000-0000-7000-8000-00000000a001', :op, 'cus_1', 1999, 'draft');
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_state => 'COMPLETED', p_status => 201,
  p_schema_version => '1', p_resource_type => 'invoice', p_resource_id => 'a001',
  p_headers => '{"content-type": "application/json"}', p_body => '\x00'::bytea || convert_to('{"invoice":"a001"}', 'utf8'),
  p_client => 'billing', p_outbox => jsonb_build_array(jsonb_build_object(
    'id', '0198f000-0000-7000-8000-00000000b001', 'aggregate_type', 'invoice', 'aggregate_id', 'a001', 'topic', 'invoices',
    'type', 'invoice.drafted', 'payload', '{"invoice": "a001"}'::jsonb, 'headers', '{}'::jsonb)));
commit;

\echo 2 the same command again: the answer is replayed, byte for byte, and nothing runs
select outcome, state, response_status, response_schema_version, resource_type, resource_id, headers,
  convert_from(substr(body, 2), 'utf8') as body
from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-2');

\echo 3 another command under the key: conflict, with the first command to compare
select outcome, state, convert_from(substr(command, 2), 'utf8') as first_command from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256('another'), p_owner => 'psql-2');

\echo 4 the key of another principal: conflict, and told to be foreign
select outcome, foreign_principal from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'somebody', p_fingerprint => sha256(:command), p_owner => 'psql-2');

\echo 5 a newer release hashes by rule 7: the row says by which rule it was made, and matches when asked by that
select outcome, fingerprint_version, api_version from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256('by rule 7'), p_fingerprint_version => 7, p_owner => 'psql-2');
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256(:command), p_fingerprint_version => 0, p_owner => 'psql-2');

\echo 6 the same key of another operation or tenant is another key
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.remind', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-2');
select outcome from onceboard.claim(
  p_tenant => 'globex', p_operation => 'invoices.draft', p_key => 'local-1', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-2');

\echo 7 a rollback leaves no trace: the key is new
begin;
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-2', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-1');
rollback;
select outcome, attempts from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-2',
  p_operation_id => '0198f000-0000-7000-8000-000000000002',
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-1');

\echo 8 a refusal that binds is an answer too
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => '0198f000-0000-7000-8000-000000000002', p_fence => 1,
  p_state => 'FAILED_REPLAYABLE', p_status => 422, p_error_code => 'invoice.customer_blocked',
  p_body => '\x00'::bytea || convert_to('{"code":"invoice.customer_blocked"}', 'utf8'));
select outcome, state, response_status, error_code from onceboard.claim(
  p_tenant => 'acme', p_operation => 'invoices.draft', p_key => 'local-2', p_operation_id => gen_random_uuid(),
  p_principal => 'billing', p_fingerprint => sha256(:command), p_owner => 'psql-2');

\echo 9 a second answer is refused: OB001, and the first one stands
\set ON_ERROR_STOP off
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => '0198f000-0000-7000-8000-000000000002', p_fence => 1, p_state => 'COMPLETED',
  p_status => 201);
\echo :SQLSTATE
