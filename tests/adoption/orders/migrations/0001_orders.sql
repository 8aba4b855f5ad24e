create table orders.orders (
  tenant_id text not null, id uuid primary key, item text not null, quantity integer not null,
  status text not null default 'pending', provider_reference text, placed_at timestamptz not null default now()
);
create table orders.shipments (tenant_id text not null, id uuid primary key);
create view orders.effects as
select tenant_id, id as operation_id, 'order'::text as kind, id, status, item as reference, id::text as provider_key,
  provider_reference, placed_at as created_at from orders.orders;
