import { randomUUID } from "node:crypto";
import { createDatabase } from "@/db/client";
import { markdownTable, wholeFigure } from "../../shared/markdown";
import { findPgbench, measureRaw } from "../raw";
import type { Recorded } from "../recording";

/** Claims and completions in both databases, in turns. */
export interface ClaimFigures {
  /** A second, one of each round. */
  readonly small: readonly number[];
  readonly large: readonly number[];
  readonly wear: readonly TableWear[];
}

/** What writing left in a hot table of the large database. */
export interface TableWear {
  readonly table: string;
  readonly live: number;
  readonly dead: number;
  /** Of 100 updates: touched no index. */
  readonly hotShare: number | undefined;
  readonly autovacuums: number;
}

const CONNECTIONS = 8;
const OPERATION = "orders.place";
const TABLES = ["idempotency_requests", "idempotency_open", "outbox_messages"];

/** A new key, which is random, so that its index entries lie anywhere; its answer, its event and its message. */
function claimAndComplete(): Recorded[] {
  const [operationId, eventId, messageId] = [randomUUID(), randomUUID(), randomUUID()];
  // Not a UUID alone: some of the random ones would be UUIDv7 of long ago, which expired.
  const key = `cart-${randomUUID()}`;
  const message = { id: messageId, aggregate_type: "order", aggregate_id: key, topic: "orders", type: "order.placed" };
  return [
    { text: "begin", values: [] },
    {
      text: `select outcome from onceboard.claim(p_tenant => 'acme', p_operation => '${OPERATION}', p_key => $1, p_operation_id => $2, p_principal => 'till-web',
        p_fingerprint => sha256($1::bytea), p_owner => 'bench', p_account => 'acc_00001', p_reference => $1, p_amount => 4200, p_currency => 'EUR', p_event_id => null)`,
      values: [key, operationId],
      types: ["text", "uuid"],
    },
    {
      text: `select onceboard.complete(p_tenant => 'acme', p_operation_id => $1, p_fence => 1, p_state => 'COMPLETED', p_status => 201, p_replay => 'none', p_outbox => $2,
        p_event_id => $3)`,
      values: [operationId, JSON.stringify([{ ...message, payload: {}, headers: {} }]), eventId],
      types: ["uuid", "jsonb", "uuid"],
    },
    { text: "commit", values: [] },
  ];
}

/** @returns new keys that are claimed and completed, a second */
export async function claimRate(url: string, durationMs: number): Promise<number> {
  const raw = { url, statements: claimAndComplete(), connections: CONNECTIONS, durationMs, fixed: [] };
  return (await measureRaw(raw, findPgbench())).perSecond;
}

export async function measureClaims(
  small: string,
  large: string,
  { rounds, durationMs }: { readonly rounds: number; readonly durationMs: number },
): Promise<ClaimFigures> {
  const figures = { small: [] as number[], large: [] as number[] };
  for (const url of [small, large]) await claimRate(url, durationMs / 2);
  for (let round = 0; round < rounds; round += 1) {
    figures.small.push(await claimRate(small, durationMs));
    figures.large.push(await claimRate(large, durationMs));
  }
  return { ...figures, wear: await wearOf(large) };
}

async function wearOf(url: string): Promise<TableWear[]> {
  const db = createDatabase({ url, max: 1, role: "owner" });
  try {
    const { rows } = await db.pool.query<{ [K in keyof TableWear]: TableWear[K] | null }>({
      text: `select relname as table, n_live_tup::int as live, n_dead_tup::int as dead, (100.0 * n_tup_hot_upd / nullif(n_tup_upd, 0))::float8 as "hotShare", autovacuum_count::int as autovacuums
        from pg_stat_user_tables where schemaname = 'onceboard' and relname = any ($1::text[]) order by relname`,
      values: [TABLES],
    });
    return rows.map((row) => ({
      table: row.table ?? "",
      live: row.live ?? 0,
      dead: row.dead ?? 0,
      hotShare: row.hotShare ?? undefined,
      autovacuums: row.autovacuums ?? 0,
    }));
  } finally {
    await db.close();
  }
}

const median = (rates: readonly number[]): number =>
  [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? Number.NaN;

export function claimsTable({ small, large, wear }: ClaimFigures, sizes: readonly [number, number]): string {
  const [before, after] = [median(small), median(large)];
  const span = (rates: readonly number[]): string =>
    `${wholeFigure(median(rates))} (${wholeFigure(Math.min(...rates))}–${wholeFigure(Math.max(...rates))})`;
  const rates = markdownTable(
    ["", ...sizes.map((size) => `beside ${size.toLocaleString("en")}, per second (min–max)`), "ratio"],
    [["claim and complete", span(small), span(large), (after / before).toFixed(2)]],
  );
  const tables = markdownTable(
    ["table", "live rows", "dead rows", "of 100 updates HOT", "autovacuums"],
    wear.map((row) => [
      row.table,
      ...[row.live, row.dead].map((count) => count.toLocaleString("en")),
      row.hotShare?.toFixed(1) ?? "",
      String(row.autovacuums),
    ]),
  );
  return `${rates}\n\n${tables}`;
}
