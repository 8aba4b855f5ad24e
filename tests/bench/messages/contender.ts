/** What a job's handler does: nothing, or write one row. */
export type WorkKind = "nothing" | "one row";

/** One way to get jobs done, with its own database on the server that all share. */
export interface Contender {
  readonly name: string;
  readonly work: WorkKind;
  /** How it was set, in a few words for the report. */
  readonly settings: string;
  /** Makes its tables in an empty database. */
  open(url: string): Promise<OpenContender>;
}

export interface OpenContender {
  /** Commits `count` new jobs. */
  send(count: number): Promise<void>;
  /** Does every waiting job; all are committed as done when it returns. @returns how many were done */
  finish(): Promise<number>;
  close(): Promise<void>;
}

/** The table of handlers that write one row. */
export const EFFECTS_TABLE =
  "create table public.bench_effects (id uuid not null, at timestamptz not null default now())";
export const INSERT_EFFECT = "insert into public.bench_effects (id) values ($1)";

/** Jobs are sent in batches of so many, by whoever can. */
export const SEND_BATCH = 500;

/** @returns sizes of batches that add up to `count`. */
export function sendBatches(count: number): number[] {
  const batches: number[] = [];
  for (let left = count; left > 0; left -= SEND_BATCH) batches.push(Math.min(left, SEND_BATCH));
  return batches;
}

/** The same data for everybody: an event as the product sends it. @param id UUID of the job */
export function payloadOf(id: string): Readonly<Record<string, unknown>> {
  return {
    id,
    type: "payment.succeeded",
    occurredAt: new Date().toISOString(),
    tenant: "bench",
    data: {
      paymentId: id,
      accountId: `acc-${id}`,
      amount: "42.00",
      currency: "EUR",
      status: "succeeded",
      channel: "web",
    },
  };
}
