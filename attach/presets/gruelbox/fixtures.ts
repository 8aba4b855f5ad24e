import type { ForeignDatabase } from "../../testing/foreign-database";

/** The table as the migrations of version 4.2 leave it. */
export const GRUELBOX_OLD_TABLES = `
create table txno_outbox (
  id varchar(36) primary key, invocation text, nextattempttime timestamp(6), attempts int, blocked boolean, version int,
  uniquerequestid varchar(250) unique, processed boolean, lastattempttime timestamp(6));
create index ix_txno_outbox_1 on txno_outbox (processed, blocked, nextattempttime);`;

/** And as those of version 7 do, which knows topics. */
export const GRUELBOX_TABLES = `${GRUELBOX_OLD_TABLES}
alter table txno_outbox add topic varchar(250) not null default '*', add seq bigint;
create index ix_txno_outbox_2 on txno_outbox (topic, processed, seq);`;

/** Hours from now to the next and the last attempt. */
export const GRUELBOX_ROWS = [
  { id: "a-waiting", state: "waiting", next: -1, last: null, attempts: 0 },
  { id: "b-scheduled", state: "scheduled", next: 2, last: null, attempts: 0 },
  { id: "c-taken", state: "in_progress", next: 1, last: -0.1, attempts: 0 },
  { id: "d-lost", state: "waiting", next: -1, last: -2, attempts: 0 },
  { id: "e-failed", state: "retrying", next: 1, last: -0.1, attempts: 2 },
  { id: "f-overdue", state: "retrying", next: -1, last: -2, attempts: 2 },
  { id: "g-blocked", state: "dead", next: 1, last: -0.1, attempts: 5, blocked: true },
  { id: "h-kept", state: "sent", next: 100, last: -1, attempts: 1, processed: true },
  { id: "i-over", state: "sent", next: -1, last: -200, attempts: 0, processed: true },
] as const;

/** A call as the library's own serializer writes it. */
export const GRUELBOX_CALL =
  '{"c":"com.example.Orders","m":"ship","p":["String"],"a":[{"t":"String","v":"é"}],"x":null}';

/** @param zone of the servers that run the application */
export async function insertGruelboxRows(database: ForeignDatabase, zone: string): Promise<void> {
  for (const row of GRUELBOX_ROWS)
    await database.run(
      `insert into txno_outbox (id, invocation, nextattempttime, lastattempttime, attempts, blocked, processed, version, uniquerequestid)
       values ($1, $2, (now() + $3 * interval '1 hour') at time zone $5, (now() + $4::float8 * interval '1 hour') at time zone $5, $6, $7, $8, 3, $9)`,
      [
        row.id,
        GRUELBOX_CALL,
        row.next,
        row.last,
        zone,
        row.attempts,
        "blocked" in row,
        "processed" in row,
        "processed" in row ? `request-${row.id}` : null,
      ],
    );
}
