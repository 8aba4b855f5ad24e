/** What a job's handler does: nothing, or write one row. */
export type WorkKind = "nothing" | "one row";

/** One way to get jobs done, with its own database on the server that all share. */
export interface Contender {
  readonly name: string;
  readonly work: WorkKind;
  /** How it was set, in a few words for the report. */
  readonly settings: string;
  /** Jobs of one send, and sends at once. */
  readonly sendBatch: number;
  readonly sendsAtOnce: number;
  /** Calls of `finishSome` at once. */
  readonly lanes: number;
  /** Makes its tables in a database that has the table of effects and nothing else. */
  open(url: string): Promise<OpenContender>;
}

/** How most of them work. */
export const ONE_AT_A_TIME = { sendBatch: 500, sendsAtOnce: 1, lanes: 1 } as const;

export interface OpenContender {
  /** Commits new jobs. @param ids UUIDs */
  send(ids: readonly string[]): Promise<void>;
  /** Does some of the waiting jobs, committed as done when it returns. @returns how many; none when nothing waits */
  finishSome(lane: number): Promise<number>;
  /** Microseconds that it has used, where it runs in a process of its own. */
  readonly processorTime?: () => Promise<number>;
  close(): Promise<void>;
}

/** The table of handlers that write one row. */
export const EFFECTS_TABLE =
  "create table public.bench_effects (id uuid not null, at timestamptz not null default now())";
export const INSERT_EFFECT = "insert into public.bench_effects (id) values ($1)";

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
