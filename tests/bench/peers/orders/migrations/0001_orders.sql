create table orders.orders (
  tenant_id text not null,
  id uuid not null,
  reference text not null,
  item text not null,
  quantity integer not null,
  placed_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
