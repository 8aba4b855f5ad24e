import { readWithin } from "@/db/bounded-read";
import { selectInbox } from "@/db/inbox/select-inbox";
import { ARRIVALS_SCANNED, selectConsumerTypes } from "@/db/messages/select-place";
import { isTopicName } from "@/domain/messages/topic-route";
import type { ConsumerView } from "@/presentation/views/place-pages";
import type { PlacesView } from "@/presentation/views/places";
import type { EngineContext } from "@/engine/context";
import { judgedInboxRow } from "./judged-rows";
import { readPlaceDetail } from "./place-detail";
import { readPlaces } from "./place-rows";
import { requirePermission } from "@/engine/actions/require";
import type { ChartRange } from "@/presentation/views/common";

const UNFLAGGED = { failing: false, duplicates: false, mismatches: false } as const;

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
  const filters = { states: ["recorded"], consumer, range: "all", ...UNFLAGGED } as const;
  return readWithin(ctx.db, "detail", async (q) => {
    const { found, ...detail } = await readPlaceDetail(q, ctx, {
      side: "inbox",
      place: consumer,
      label: consumer,
      range,
      fallback: "http",
      waiting: (page) => selectInbox(q, ctx.tenantId, filters, { ...page, scanLimit: page.limit + 1 }),
      judged: judgedInboxRow,
    });
    const types = await selectConsumerTypes(q, ctx.tenantId, consumer);
    const isKnown = found || types.length > 0 || known.includes(consumer);
    if (!isKnown) return undefined;
    return { ...detail, types, lookedAt: ARRIVALS_SCANNED };
  });
}
