import { fittingCursor, PAGE_ROWS } from "@/db/paging";
import { boundedRead } from "@/db/sql-text";
import { OPEN_OUTBOX_SORT, PUBLISHED_SORT, selectOutbox, selectOutboxHorizon } from "@/db/outbox/select-outbox";
import { placesVerdict } from "@/presentation/message/places-verdict";
import { verdictOf } from "@/presentation/operation/verdict";
import type { VerdictView } from "@/presentation/views/common";
import type { OutboxView } from "@/presentation/views/outbox";
import type { PlacesView } from "@/presentation/views/places";
import type { EngineContext } from "@/engine/context";
import { judgedOutboxRow, withDeadFacts } from "./judged-rows";
import { withScanLimit, scanPage } from "../scan-page";
import { readPlaces } from "./place-rows";
import { requirePermission } from "@/engine/actions/require";
import { windowHours } from "@/domain/lists/window";
import type { OutboxFilters } from "@/domain/lists/filters";
import { cutPage, decodeCursor } from "@/domain/lists/cursor";

export interface ListOutboxInput {
  readonly filters: OutboxFilters;
  readonly cursor?: string | undefined;
  /** OUTBOX_TRANSPORT. */
  readonly fallback?: "http" | "nats" | "rabbitmq" | undefined;
}

/** One page of the outbox, with what waits per topic; neither waits for the other to be counted. @throws AppError `auth.forbidden` 403 */
export async function listOutbox(ctx: EngineContext, input: ListOutboxInput): Promise<OutboxView> {
  requirePermission(ctx, "outbox.read");
  const { filters, fallback = "http" } = input;
  const published = filters.state === "published";
  const sort = published ? "published" : "open";
  const cursor = fittingCursor(decodeCursor(input.cursor, sort), published ? PUBLISHED_SORT : OPEN_OUTBOX_SORT);
  const page = { limit: PAGE_ROWS, direction: published ? "desc" : "asc", cursor } as const;
  const [read, counted] = await Promise.all([
    boundedRead(ctx.db, "list", async (q) => {
      const found = await scanPage(
        page,
        (look) => selectOutbox(q, ctx.tenantId, filters, look, fallback),
        (look) => selectOutboxHorizon(q, ctx.tenantId, filters, look),
      );
      return { ...found, ...(await withDeadFacts(q, ctx.tenantId, "outbox", found.rows)) };
    }),
    boundedRead(ctx.db, "list", (q) => readPlaces(q, ctx.tenantId, "outbox", { fallback })),
  ]);
  const places = counted.kind === "done" ? counted.value : undefined;
  const { waiting: pending, ...sums } = placeSums(places);
  const facts = { ...sums, pending, verdict: verdictOfPlaces(places, "outbox"), places };
  if (read.kind === "too_broad") return { ...facts, list: { ...read, hours: windowHours(filters) } };
  const { rows: found, horizon, dead } = read.value;
  const cut = cutPage(found, PAGE_ROWS, cursor, sort, (row) => ({
    value: row.sort_value,
    id: published ? row.id : row.position.toString(),
  }));
  const rows = withScanLimit(cut, cursor, sort, horizon);
  const at = found[0]?.at ?? places?.at ?? new Date().toISOString();
  return {
    ...facts,
    list: {
      kind: "page",
      ...rows,
      rows: rows.rows.map((row) => judgedOutboxRow(row, dead, fallback)),
      at,
    },
  };
}

/** What waits and what is dead over all places. */
export function placeSums(places: PlacesView | undefined): {
  waiting: number;
  dead: number;
  oldestMs: number | undefined;
} {
  const rows = places?.rows ?? [];
  const waits = rows.flatMap((row) => (row.oldestMs === undefined ? [] : [row.oldestMs]));
  return {
    waiting: rows.reduce((total, row) => total + row.waiting, 0),
    dead: rows.reduce((total, row) => total + row.dead, 0),
    oldestMs: waits.length === 0 ? undefined : Math.max(...waits),
  };
}

export function verdictOfPlaces(places: PlacesView | undefined, name: string): VerdictView {
  return places === undefined
    ? verdictOf([{ text: `The ${name} could not be counted in time.`, tone: "broken" }])
    : placesVerdict(places);
}
