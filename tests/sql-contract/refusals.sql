-- What the database refuses a service, each with its code. What psql prints is compared with refusals.out.
\set ON_ERROR_STOP off
\set op '''0198f000-0000-7000-8000-000000000021'''

\echo reads and writes of the tables: 42501
select count(*) from onceboard.idempotency_requests;
\echo :SQLSTATE
insert into onceboard.outbox_messages (tenant_id) values ('acme');
\echo :SQLSTATE
update onceboard.idempotency_requests set state = 'COMPLETED';
\echo :SQLSTATE
delete from onceboard.idempotency_open;
\echo :SQLSTATE
truncate onceboard.idempotency_events;
\echo :SQLSTATE
set role onceboard_app;
\echo :SQLSTATE

\echo functions that are not part of the contract: 42501
select onceboard.expire_requests('acme', 1);
\echo :SQLSTATE
select onceboard.purge_requests('acme', 1);
\echo :SQLSTATE
select onceboard.requeue_outbox('acme', gen_random_uuid(), 'me', 'why');
\echo :SQLSTATE
select onceboard.append_audit('acme', gen_random_uuid(), 'system', 'me', 'me', 'x', 'x', 'x', null, null, null, null, null);
\echo :SQLSTATE
select onceboard.drop_partitions('idempotency_events', current_date, 1);
\echo :SQLSTATE

\echo arguments that mean nothing: 22023
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'o', p_key => 'refused-1', p_operation_id => :op, p_principal => 'billing',
  p_fingerprint => '\x00', p_owner => 'psql', p_lease_ms => 0);
\echo :SQLSTATE
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'o', p_key => 'refused-1', p_operation_id => :op, p_principal => 'billing',
  p_fingerprint => '\x00', p_owner => 'psql', p_expired => 'perhaps');
\echo :SQLSTATE
select count(*) from onceboard.take_over(p_tenant => 'acme', p_owner => null);
\echo :SQLSTATE
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_state => 'EXPIRED', p_status => 201);
\echo :SQLSTATE

\echo a key of no characters, or of too many: 22023; an operation without a principal: 23502
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'o', p_key => '', p_operation_id => :op, p_principal => 'billing',
  p_fingerprint => '\x00', p_owner => 'psql');
\echo :SQLSTATE
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'o', p_key => repeat('k', 256), p_operation_id => :op, p_principal => 'billing',
  p_fingerprint => '\x00', p_owner => 'psql');
\echo :SQLSTATE
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'o', p_key => 'refused-1', p_operation_id => :op, p_principal => null,
  p_fingerprint => '\x00', p_owner => 'psql');
\echo :SQLSTATE

\echo an operation that was never claimed: OB001, and false where it is no error
select onceboard.complete(
  p_tenant => 'acme', p_operation_id => :op, p_fence => 1, p_state => 'COMPLETED', p_status => 201);
\echo :SQLSTATE
select onceboard.mark_unknown(p_tenant => 'acme', p_operation_id => :op, p_fence => 1);

\echo another first request of a key that is not committed yet is waited for: 55P03 after lock_timeout
set lock_timeout = '20ms';
select outcome from onceboard.claim(
  p_tenant => 'acme', p_operation => 'o', p_key => 'held', p_operation_id => :op, p_principal => 'billing',
  p_fingerprint => '\x00', p_owner => 'psql');
\echo :SQLSTATE
