/** The table as the router's defaults want it. An application makes it; the column timestamp is one that some have. */
export const DEBEZIUM_TABLES = `
create table outbox (
  id uuid not null primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null,
  type varchar(255) not null, payload jsonb, "timestamp" timestamp);`;

export const debeziumId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** SQL that puts two rows there, one of them a tombstone without a time. */
export const debeziumRows = (): string =>
  `insert into outbox values ('${debeziumId(1)}', 'order', '17', 'OrderPaid', '{"amount": 1}', '2026-03-01 12:00'),
    ('${debeziumId(2)}', 'order', '17', 'OrderGone', null, null)`;
