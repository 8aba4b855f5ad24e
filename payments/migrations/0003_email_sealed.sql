-- The address for receipts, sealed under a key of the tenant. One in clear is from before; it is sealed when the next receipt goes there.
alter table payments.accounts add column if not exists email_sealed bytea;
