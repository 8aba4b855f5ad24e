-- What the console, its proofs and its checks may know of these tables. A refund and a void belong to their payment; a void has
-- no amount of its own, for it gives back all of it.
create or replace view payments.effects as
select p.tenant_id, p.operation_id, 'payment'::text as kind, p.id, p.status, p.account_id as account, p.merchant_reference as reference,
  null::uuid as belongs_to, p.amount_minor, p.currency, p.refunded_minor as returned_minor, p.provider_key, p.provider_reference, p.created_at
from payments.payments p
union all
select f.tenant_id, f.operation_id, 'refund', f.id, f.status, null, null, f.payment_id, f.amount_minor, f.currency, null,
  f.provider_key, f.provider_reference, f.created_at
from payments.refunds f
union all
select v.tenant_id, v.operation_id, 'void', v.id, v.status, null, null, v.payment_id, null, null, null,
  v.provider_key, v.provider_reference, v.created_at
from payments.voids v;

-- Ids of accounts are chosen by whoever opens them: they are texts.
create or replace view payments.account_effects as
select a.tenant_id, a.operation_id, 'account'::text as kind, a.id, a.id as account, a.created_at
from payments.accounts a;

create or replace view payments.entries as
select l.tenant_id, l.operation_id, l.id, l.entry_type as kind, l.source_id, l.debit_account, l.credit_account, l.amount_minor,
  l.currency, l.posted_at
from payments.ledger_entries l;

select onceboard.register_unique('payments', 'one payment per operation', 'payments.payments', '{tenant_id,operation_id}');
select onceboard.register_unique('payments', 'one refund per operation', 'payments.refunds', '{tenant_id,operation_id}');
select onceboard.register_unique('payments', 'one void per operation', 'payments.voids', '{tenant_id,operation_id}');
select onceboard.register_unique('payments', 'one void per payment', 'payments.voids', '{tenant_id,payment_id}');
select onceboard.register_unique('payments', 'one payment per merchant reference', 'payments.payments',
  '{tenant_id,account_id,merchant_reference}');
select onceboard.register_unique('payments', 'one ledger entry per cause', 'payments.ledger_entries', '{tenant_id,entry_type,source_id}');
