/**
 * Not shared with proof or invariants, on purpose (oracle.ts says why). Every effect of the example business that stands, one row
 * each: `operation_id`, `effect`, `event` it must have sent.
 */
export const ORACLE_EFFECTS = `
  select p.operation_id, 'payment:' || p.id as effect, 'payment.succeeded' as event, p.provider_key, 'charge' as kind, p.amount_minor,
    p.currency, p.status in ('succeeded', 'voided') as done, p.status = 'failed' as failed
  from payments.payments p where p.tenant_id = $1
  union all
  select f.operation_id, 'refund:' || f.id, 'refund.succeeded', f.provider_key, 'refund', f.amount_minor, f.currency,
    f.status = 'succeeded', f.status = 'failed'
  from payments.refunds f where f.tenant_id = $1
  union all
  select v.operation_id, 'void:' || v.id, 'payment.voided', v.provider_key, 'void', p.amount_minor, p.currency,
    v.status = 'succeeded', v.status = 'failed'
  from payments.voids v join payments.payments p on p.tenant_id = $1 and p.id = v.payment_id where v.tenant_id = $1
  union all
  select a.operation_id, 'account:' || a.id, 'account.opened', null, 'account', null, a.currency, true, false
  from payments.accounts a where a.tenant_id = $1`;
