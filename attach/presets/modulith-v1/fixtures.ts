const COLUMNS = `id uuid not null primary key, listener_id text not null, event_type text not null, serialized_event text not null,
  publication_date timestamptz not null, completion_date timestamptz`;

/** SQL that makes one of the tables as version 1 does. */
export const modulithV1Table = (name: string): string => `
create table ${name} (${COLUMNS});
create index on ${name} using hash (serialized_event);
create index on ${name} (completion_date);`;

/** SQL that makes one of the tables as version 2 does. */
export const modulithV2Table = (name: string): string => `
create table ${name} (${COLUMNS}, status text, completion_attempts integer, last_resubmission_date timestamptz);
create index on ${name} using hash (serialized_event);
create index on ${name} (completion_date);`;

export const modulithId = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;

/** Minutes since it was published, and since it was completed. */
export const MODULITH_V1_ROWS = [
  { n: 1, state: "waiting", raw: "incomplete", published: 1, completed: null },
  { n: 2, state: "waiting", raw: "incomplete", published: 600, completed: null },
  { n: 3, state: "sent", raw: "completed", published: 600, completed: 500 },
] as const;

/** Status, minutes since it was published, resubmitted and completed, and attempts. */
export const MODULITH_V2_ROWS = [
  { n: 1, state: "waiting", status: "PUBLISHED", published: 600, resubmitted: 600, completed: null, attempts: 1 },
  { n: 2, state: "in_progress", status: "PROCESSING", published: 600, resubmitted: 600, completed: null, attempts: 1 },
  { n: 3, state: "retrying", status: "RESUBMITTED", published: 600, resubmitted: 500, completed: null, attempts: 2 },
  { n: 4, state: "dead", status: "FAILED", published: 600, resubmitted: 500, completed: null, attempts: 3 },
  { n: 5, state: "dead", status: null, published: 600, resubmitted: null, completed: null, attempts: null },
  { n: 6, state: "sent", status: "COMPLETED", published: 600, resubmitted: 600, completed: 500, attempts: 1 },
  { n: 7, state: "sent", status: null, published: 600, resubmitted: null, completed: 500, attempts: null },
  { n: 8, state: "unknown", status: "PARKED", published: 600, resubmitted: 600, completed: null, attempts: 1 },
  { n: 9, state: "retrying", status: "RESUBMITTED", published: 600, resubmitted: 1, completed: null, attempts: 2 },
  { n: 10, state: "dead", status: "FAILED", published: 1, resubmitted: 1, completed: null, attempts: 1 },
  { n: 11, state: "dead", status: "ABANDONED", published: 600, resubmitted: 600, completed: null, attempts: 9 },
] as const;

const ago = (minutes: number | null): string =>
  minutes === null ? "null" : `now() - interval '${String(minutes)} minutes'`;

const start = (n: number): string => `'${modulithId(n)}', 'shop.Mail.on(shop.Paid)', 'shop.Paid', '{"amount":12}'`;

export function modulithV1Rows(): string {
  const rows = MODULITH_V1_ROWS.map(
    ({ n, published, completed }) => `(${start(n)}, ${ago(published)}, ${ago(completed)})`,
  );
  return `insert into event_publication values ${rows.join(", ")};`;
}

export function modulithV2Rows(): string {
  const rows = MODULITH_V2_ROWS.map(
    ({ n, status, published, resubmitted, completed, attempts }) =>
      `(${start(n)}, ${ago(published)}, ${ago(completed)}, ${status === null ? "null" : `'${status}'`}, ${String(attempts)}, ${ago(resubmitted)})`,
  );
  return `insert into event_publication values ${rows.join(", ")};`;
}

/** SQL that copies what is completed into the archive. */
export const MODULITH_V1_ARCHIVED = `
  insert into event_publication_archive select gen_random_uuid(), listener_id, event_type, serialized_event, publication_date, completion_date
    from event_publication where completion_date is not null;`;
export const MODULITH_V2_ARCHIVED = `
  insert into event_publication_archive select gen_random_uuid(), listener_id, event_type, serialized_event, publication_date, completion_date,
    status, completion_attempts, last_resubmission_date from event_publication where status = 'COMPLETED';`;
