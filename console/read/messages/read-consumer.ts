import { readWithin } from "@/db/sql-text";
import { selectInbox } from "@/db/inbox/select-inbox";
import { ARRIVALS_SCANNED, selectConsumerTypes } from "@/db/messages/select-place";
import { placeVerdict } from "@/presentation/message/places-verdict";
import { isTopicName } from "@/domain/messages/topic-route";
import type { ConsumerView } from "@/presentation/views/place-pages";
import type { PlacesView } from "@/presentation/views/places";
import type { EngineContext } from "@/engine/context";
import { judgedInboxRow, withDeadFacts } from "./judged-rows";
import { OLDEST_SHOWN, readPlaceDetail } from "./place-detail";
import { idlePlace, readPlaces } from "./place-rows";
import { requirePermission } from "@/engine/actions/require";
import type { ChartRange } from "@/presentation/views/common";

/** All consumers with what waits for them. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function listConsumers(ctx: EngineContext): Promise<PlacesView> {
  requirePermission(ctx, "inbox.read");
  return readWithin(ctx.db, "list", (q) => readPlaces(q, ctx.tenantId, "inbox", { fallback: "http" }));
}

/**
 * One consumer: how it does, what waits for it, and what comes for it.
 * @param input.known names of consumers that run in this version: they have a page before their first message
 * @returns undefined when no consumer has this name
 */
export async function readConsumer(
  ctx: EngineContext,
  input: { consumer: string; range?: ChartRange | undefined; known?: readonly string[] | undefined },
): Promise<ConsumerView | undefined> {
  requirePermission(ctx, "inbox.read");
  const { consumer, range, known = [] } = input;
  if (!isTopicName(consumer)) return undefined;
  const read = await readWithin(ctx.db, "detail", async (q) => ({
    places: await readPlaces(q, ctx.tenantId, "inbox", { fallback: "http" }),
    ...(await readPlaceDetail(q, ctx.tenantId, "inbox", { place: consumer, range })),
    waiting: await withDeadFacts(
      q,
      ctx.tenantId,
      "inbox",
      await selectInbox(
        q,
        ctx.tenantId,
        { states: ["recorded"], consumer, range: "all", failing: false, duplicates: false, mismatches: false },
        { limit: OLDEST_SHOWN, direction: "asc" },
      ),
    ),
    types: await selectConsumerTypes(q, ctx.tenantId, consumer),
  }));
  const { places, waiting, types, chart, errors } = read;
  const found = places.rows.find((each) => each.place === consumer);
  if (found === undefined && types.length === 0 && !known.includes(consumer)) return undefined;
  const row = found ?? idlePlace("inbox", consumer, consumer);
  return {
    at: places.at,
    row,
    verdict: placeVerdict(row, places.at),
    chart,
    errors,
    waiting: waiting.rows.slice(0, OLDEST_SHOWN).map((each) => judgedInboxRow(each, waiting.dead)),
    types: types.map(({ last_at: lastAt, ...type }) => ({ ...type, lastAt })),
    lookedAt: ARRIVALS_SCANNED,
  };
}
