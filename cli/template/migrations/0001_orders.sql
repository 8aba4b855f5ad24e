-- Run once, by `onceboard migrate` or `onceboard start`, in the schema of the module's name.
create table orders.orders (
  tenant_id text not null,
  id uuid primary key,
  item text not null,
  quantity integer not null check (quantity > 0),
  placed_at timestamptz not null default now()
);

-- The rows that prove what an operation did, as the console and its proofs read them.
create view orders.effects as
select tenant_id, id as operation_id, 'order'::text as kind, id, item as reference, placed_at as created_at
from orders.orders;
