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
export function capContent(id: string, error?: string): string {
  const headers = {
    "cap-msg-id": id,
    "cap-msg-name": "orders.paid",
    ...(error === undefined ? {} : { "cap-exception": error }),
  };
  return JSON.stringify({ Headers: headers, Value: { amount: "12.00" } });
}
