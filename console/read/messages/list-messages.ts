import { selectInboxFollowers, selectInboxHorizon, selectInboxLeads, INBOX_SORT } from "@/db/inbox/select-inbox";
import { OPEN_OUTBOX_SORT, PUBLISHED_SORT, selectOutbox, selectOutboxHorizon } from "@/db/outbox/select-outbox";
import type { Queryable } from "@/db/client";
import { PAGE_ROWS, type PagePosition, type PageRequest, type Sort } from "@/db/paging";
import { boundedPart, readWithin } from "@/db/bounded-read";
import { cutPage, readCursor } from "@/domain/lists/cursor";
import { firstWords, type PageClaim } from "@/domain/page-claim";
import type { InboxFilters, OutboxFilters } from "@/domain/lists/filters";
import { windowHours, type TimeWindow } from "@/domain/lists/window";
import type { MessageSide } from "@/domain/messages/side";
import type { RouteTransport } from "@/domain/messages/topic-route";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { placesVerdict } from "@/presentation/message/places-verdict";
import { verdictOf } from "@/presentation/operation/verdict";
import type { InboxView } from "@/presentation/views/inbox";
import type { MessageRow, MessagesView } from "@/presentation/views/messages";
import type { OutboxView } from "@/presentation/views/outbox";
import type { PlacesView } from "@/presentation/views/places";
import { scanPage, withScanLimit } from "../scan-page";
import { type DeadFacts, judgedInboxRow, judgedOutboxRow, readDeadFacts } from "./judged-rows";
import type { MessageDbRow } from "./message-rows";
import { readPlaces } from "./place-rows";

interface ListInput<Filters> {
  readonly filters: Filters;
  readonly cursor?: string | undefined;
  /** OUTBOX_TRANSPORT. */
  readonly fallback?: RouteTransport | undefined;
}

/** How one side is listed. */
interface SideList<DbRow extends MessageDbRow, Row extends MessageRow> {
  readonly side: MessageSide;
  /** Names the order in a cursor. */
  readonly order: string;
  readonly sort: Sort;
  readonly direction: PageRequest["direction"];
  readonly select: (q: Queryable, page: PageRequest) => Promise<DbRow[]>;
  /** Rows that stand on the page of another one, whatever their own place. */
  readonly followers?: ((q: Queryable, leads: readonly DbRow[]) => Promise<readonly DbRow[]>) | undefined;
  /** Below which row. */
  readonly follows?: ((row: DbRow, lead: DbRow) => boolean) | undefined;
  readonly horizon: (
    q: Queryable,
    page: PageRequest & { readonly scanLimit: number },
  ) => Promise<PagePosition | undefined>;
  readonly positionOf: (row: DbRow) => PagePosition;
  readonly judged: (row: DbRow, dead: DeadFacts) => Row;
}

/** One page of the outbox, with what waits per topic. @throws AppError `auth.forbidden` 403 */
export async function listOutbox(ctx: EngineContext, input: ListInput<OutboxFilters>): Promise<OutboxView> {
  const { filters, fallback = "http" } = input;
  const { tenantId } = ctx;
  const published = filters.state === "published";
  const { waiting: pending, ...view } = await listMessages(ctx, input, {
    side: "outbox",
    order: published ? "published" : "open",
    sort: published ? PUBLISHED_SORT : OPEN_OUTBOX_SORT,
    direction: published ? "desc" : "asc",
    select: (q, page) => selectOutbox(q, tenantId, filters, page, fallback),
    horizon: (q, page) => selectOutboxHorizon(q, tenantId, filters, page),
    positionOf: (row) => ({ value: row.sortValue, id: row.id }),
    judged: (row, dead) => judgedOutboxRow(row, dead, fallback),
  });
  return { ...view, pending };
}

/** One page of messages that arrived, newest first, each with its consumers, and what waits per consumer. @throws AppError `auth.forbidden` 403 */
export async function listInbox(ctx: EngineContext, input: ListInput<InboxFilters>): Promise<InboxView> {
  const { filters } = input;
  const { tenantId } = ctx;
  const { waiting: recorded, ...view } = await listMessages(ctx, input, {
    side: "inbox",
    order: "received",
    sort: INBOX_SORT,
    direction: "desc",
    select: (q, page) => selectInboxLeads(q, tenantId, filters, page),
    followers: (q, leads) => selectInboxFollowers(q, tenantId, filters, leads),
    follows: (row, lead) => row.messageId === lead.messageId && row.source === lead.source,
    horizon: (q, page) => selectInboxHorizon(q, tenantId, filters, page),
    positionOf: (row) => ({ value: row.receivedAt, id: row.id }),
    judged: judgedInboxRow,
  });
  return { ...view, recorded };
}

/** The page and the counts are of one moment; where one of them takes too long, the other is shown without it. */
async function listMessages<DbRow extends MessageDbRow, Row extends MessageRow>(
  ctx: EngineContext,
  { filters, cursor: text, fallback = "http" }: ListInput<TimeWindow>,
  list: SideList<DbRow, Row>,
): Promise<MessagesView<Row> & { readonly waiting: number }> {
  const { side, order, direction } = list;
  requirePermission(ctx, `${side}.read`);
  const cursor = readCursor(text, order, list.sort);
  const { read, counted } = await readWithin(ctx.db, "list", async (q) => ({
    counted: await boundedPart(q, "list", () => readPlaces(q, ctx.tenantId, side, { fallback })),
    read: await boundedPart(q, "list", async () => {
      const page = { limit: PAGE_ROWS, direction, cursor };
      const found = await scanPage(
        page,
        (look) => list.select(q, look),
        (look) => list.horizon(q, look),
      );
      const followers = (await list.followers?.(q, found.rows)) ?? [];
      const dead = await readDeadFacts(q, ctx, side, [...found.rows, ...followers]);
      return { ...found, followers, dead };
    }),
  }));
  const places = counted.kind === "done" ? counted.value : undefined;
  const { waiting = 0, dead: allDead = 0, oldestMs } = places?.open ?? {};
  const facts = { waiting, dead: allDead, oldestMs, verdict: verdictOfPlaces(places, side), places };
  if (read.kind === "too_broad") return { ...facts, list: { ...read, hours: windowHours(filters) } };
  const { rows, followers, horizon, dead } = read.value;
  const cut = cutPage(rows, PAGE_ROWS, cursor, order, list.positionOf);
  const page = withScanLimit(cut, cursor, order, horizon);
  const at = rows[0]?.at ?? places?.at ?? new Date().toISOString();
  const drawn = page.rows.flatMap((lead) => [lead, ...followers.filter((row) => list.follows?.(row, lead))]);
  return { ...facts, list: { kind: "page", ...page, rows: drawn.map((row) => list.judged(row, dead)), at } };
}

const UNCOUNTED_CLAIMS: readonly PageClaim<{ readonly side: MessageSide; readonly counted: boolean }>[] = [
  {
    name: "not counted",
    holds: ({ counted }) => !counted,
    words: ({ side }) => `The ${side} could not be counted in time.`,
  },
];

function verdictOfPlaces(places: PlacesView | undefined, side: MessageSide): MessagesView<MessageRow>["verdict"] {
  if (places !== undefined) return placesVerdict(places);
  const text = firstWords(UNCOUNTED_CLAIMS, { side, counted: false });
  return verdictOf([{ text, tone: "broken" }]);
}
