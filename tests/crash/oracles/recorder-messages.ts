/**
 * What the suite sees of messages: every change of an outbox or inbox row with the session that made it, and what its own
 * consumer did, written without any unique key, so that a second time is seen.
 */
export const MESSAGE_DEFINITIONS = `
create table witness.messages (
  id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(), tenant_id text not null,
  side text not null, row_id uuid not null, place text not null,
  -- application_name of the session: of our processes the same as their name on leases.
  actor text not null, from_state text not null, to_state text not null, from_fence integer, to_fence integer,
  from_owner text, to_owner text, lease_left interval);
create index on witness.messages (tenant_id, side, row_id);
-- One row each time the suite's consumer handled a message, in the transaction of its inbox row.
create table witness.effects (
  id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(), tenant_id text not null,
  consumer text not null, message_id text not null, inbox_id uuid not null);
create index on witness.effects (tenant_id, message_id);
-- Messages that the suite's own operation wrote, in the transaction of its answer: effects of which each must be delivered once.
create table witness.made (tenant_id text not null, operation_id uuid not null, message_id uuid not null);
create index on witness.made (tenant_id, message_id);
-- Which consumers subscribed to which of our own types.
create table witness.subscriptions (type text not null, consumer text not null, primary key (type, consumer));
-- Messages that the suite's consumer does not handle: it throws, or ends its process; for ever without an attempt.
create table witness.troubles (
  tenant_id text not null, message_id text not null, kind text not null, until_attempt integer, primary key (tenant_id, message_id));
-- Tenants of which everything must have arrived.
create table witness.drained (tenant_id text primary key);

-- One for all three tables; its argument is the side. What waits for a consumer has a lease and no state, the message itself the
-- other way round.
create function witness.on_message() returns trigger language plpgsql security definer as $$
declare
  a jsonb := to_jsonb(old) - 'payload' - 'headers';
  b jsonb := to_jsonb(new) - 'payload' - 'headers';
begin
  if tg_op = 'UPDATE' and a -> 'state' is not distinct from b -> 'state' and a -> 'fence' = b -> 'fence' and a -> 'owner' is not distinct from b -> 'owner' then
    return null;
  end if;
  insert into witness.messages (tenant_id, side, row_id, place, actor, from_state, to_state, from_fence, to_fence, from_owner, to_owner,
    lease_left)
  select coalesce(b, a) ->> 'tenant_id', tg_argv[0], (coalesce(b, a) ->> 'id')::uuid, coalesce(coalesce(b, a) ->> 'topic', coalesce(b, a) ->> 'consumer'),
    current_setting('application_name'), case when a is null then 'none' else coalesce(a ->> 'state', 'waiting') end,
    case when b is null then 'gone' else coalesce(b ->> 'state', 'waiting') end, (a ->> 'fence')::integer, (b ->> 'fence')::integer,
    a ->> 'owner', b ->> 'owner', (a ->> 'locked_until')::timestamptz - clock_timestamp();
  return null;
end $$;
create trigger witness after insert or update or delete on onceboard.outbox_messages
  for each row execute function witness.on_message('outbox');
create trigger witness after insert or update or delete on onceboard.inbox_messages
  for each row execute function witness.on_message('inbox');
create trigger witness after insert or update or delete on onceboard.inbox_open
  for each row execute function witness.on_message('inbox lease');

grant usage on schema witness to onceboard_app;
grant select, insert on witness.effects, witness.made to onceboard_app;
grant select on witness.troubles to onceboard_app;
`;
