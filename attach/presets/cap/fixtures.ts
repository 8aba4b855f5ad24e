import type { ForeignDatabase } from "../../testing/foreign-database";

/** CAP's tables as version 10 makes them, and a row in each state. */
export const CAP_TABLES = `
create schema cap;
create table cap.published (
  "Id" bigint primary key, "Version" varchar(20) not null, "Name" varchar(200) not null, "Content" text null,
  "Retries" integer not null, "Added" timestamp not null, "ExpiresAt" timestamp null, "StatusName" varchar(50) not null);
create table cap.received (
  "Id" bigint primary key, "Version" varchar(20) not null, "Name" varchar(200) not null, "Group" varchar(200) null,
  "Content" text null, "Retries" integer not null, "Added" timestamp not null, "ExpiresAt" timestamp null,
  "StatusName" varchar(50) not null);
create index on cap.published ("ExpiresAt", "StatusName");
create index on cap.received ("ExpiresAt", "StatusName");`;

/** State, tries and when it expires, as hours from now; each row of `published` and `received` has the state that stands first. */
export const CAP_ROWS = [
  { state: "waiting", status: "Scheduled", retries: 0, expires: null },
  { state: "scheduled", status: "Delayed", retries: 0, expires: 4 },
  { state: "scheduled", status: "Queued", retries: 0, expires: 0.01 },
  { state: "retrying", status: "Failed", retries: 3, expires: 300 },
  { state: "dead", status: "Failed", retries: 50, expires: 300 },
  { state: "sent", status: "Succeeded", retries: 0, expires: 24 },
  { state: "unknown", status: "Parked", retries: 0, expires: null },
] as const;

/** @param id of the message @param error what it failed with */
function capContent(id: string, error?: string): string {
  const headers = {
    "cap-msg-id": id,
    "cap-msg-name": "orders.paid",
    ...(error === undefined ? {} : { "cap-exception": error }),
  };
  return JSON.stringify({ Headers: headers, Value: { amount: "12.00" } });
}

/** What those that failed failed with. */
export const CAP_ERROR = "JsonException-->'<' is an invalid start";

/** @param zone of the servers that run CAP */
export async function insertCapRows(database: ForeignDatabase, zone: string): Promise<void> {
  for (const table of ["published", "received"] as const)
    for (const [index, { status, retries, expires }] of CAP_ROWS.entries()) {
      const content = capContent(`m-${String(index)}`, status === "Failed" ? CAP_ERROR : undefined);
      const group = table === "received" ? ["billing"] : [];
      await database.run(
        `insert into cap.${table} ("Id", "Version", "Name", "Content", "Retries", "Added", "ExpiresAt", "StatusName"${group.length > 0 ? ', "Group"' : ""})
         values ($1, 'v1', 'orders.paid', $2, $3, (timestamptz '2026-03-01 12:00Z') at time zone '${zone}', now() at time zone '${zone}' + $4 * interval '1 hour', $5${group.length > 0 ? ", $6" : ""})`,
        [100 + index, content, retries, expires, status, ...group],
      );
    }
}
