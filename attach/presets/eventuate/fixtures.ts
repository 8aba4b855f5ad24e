/** Eventuate's tables as its scripts for PostgreSQL make them. */
export const EVENTUATE_TABLES = `
create schema eventuate;
create table eventuate.message (
  id varchar(1000) primary key, destination text not null, headers text not null, payload text not null,
  published smallint default 0, message_partition smallint, creation_time bigint);
create index on eventuate.message (published, id);
create table eventuate.received_messages (
  consumer_id varchar(1000), message_id varchar(1000), creation_time bigint, published smallint default 0,
  primary key (consumer_id, message_id));`;

/** Where messages are polled. */
export const EVENTUATE_ROWS = [
  { id: "0000017-1", state: "sent", published: 1 },
  { id: "0000017-2", state: "waiting", published: 0 },
  { id: "0000017-3", state: "unknown", published: 2 },
] as const;

const HEADERS =
  '{"PARTITION_ID":"17","event-type":"com.example.OrderPaid","ID":"0000017-1","DATE":"Sun, 1 Mar 2026 12:00:00 GMT"}';

/** A message in each state, a second after the other, and what two consumers handled. */
export const EVENTUATE_INSERTS = `
insert into eventuate.message (id, destination, headers, payload, published, creation_time)
select id, 'com.example.Order', '${HEADERS}', '{"amount":12}', published, 1772366400000 + n * 1000
from (values ${EVENTUATE_ROWS.map(({ id, published }, n) => `(${String(n)}, '${id}', ${String(published)})`).join(", ")}) as row_of(n, id, published);
insert into eventuate.received_messages (consumer_id, message_id, creation_time)
values ('billing', '0000017-1', 1772366401000), ('shipping', '0000017-1', 1772366402000);`;
