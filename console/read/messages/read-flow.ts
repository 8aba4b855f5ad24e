import { readWithin } from "@/db/bounded-read";
import type { Queryable } from "@/db/client";
import {
  FLOW_LOOKED,
  selectEndpointTrouble,
  selectFlowRates,
  selectHeld,
  selectMeasuredMinutes,
  selectSent,
  selectTaken,
  selectUndrawn,
  type FlowLook,
  type FlowSpan,
  type UndrawnRow,
  type UsualSpan,
} from "@/db/messages/select-flow";
import { selectWritten } from "@/db/messages/select-written";
import { PLACES } from "@/db/messages/select-places";
import { selectFrame } from "@/db/metrics/select-series";
import { selectTopics } from "@/db/outbox/topics";
import { OPERATION_MESSAGES } from "@/domain/lists/filters";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { carrierOf, hasOwnWay, type Deployment } from "@/engine/outbox/topics";
import { alertCarrier, MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { buildSearch } from "@/presentation/filters/search";
import { buildFlow } from "@/presentation/flow/build-flow";
import type { FlowSplit } from "@/presentation/flow/flow-parts";
import { withoutMilliseconds } from "@/presentation/metrics/measure-links";
import type { FlowHeld, FlowNode, FlowUndrawn, FlowView, FlowWindow } from "@/presentation/views/flow";
import type { PlaceRow, PlacesView } from "@/presentation/views/places";
import { endpointLabels } from "./endpoint-labels";
import { idlePlace, readPlaces } from "./place-rows";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS: Readonly<Record<FlowWindow, number>> = { now: MINUTE_MS, "1h": HOUR_MS, "24h": DAY_MS };
/** What is usual: the same time of so many days before, and of how many at the least. */
const USUAL = { days: 7, least: 3 };
/** A whole day is compared with the day before it. */
const DAY_BEFORE = { days: 1, least: 1 };

interface Spans {
  /** Of the window; `now` without a minute that was rolled up lately has none. */
  readonly span: FlowSpan;
  readonly usual: UsualSpan;
  /** The last day. */
  readonly known: FlowSpan;
}

/**
 * What flows from operations to topics, to consumers and endpoints, and to the ledger. What waits and what is dead are the numbers of
 * the pages of topics and consumers; rates are of the roll-ups.
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readFlow(
  ctx: EngineContext,
  deployment: Pick<Deployment, "fallback">,
  { window }: { readonly window: FlowWindow },
): Promise<FlowView> {
  requirePermission(ctx, "outbox.read");
  requirePermission(ctx, "inbox.read");
  const { tenantId } = ctx;
  await ctx.kinds.register();
  return readWithin(ctx.db, "list", async (q) => {
    const outbox = await readPlaces(q, tenantId, "outbox", deployment);
    const inbox = await readPlaces(q, tenantId, "inbox", deployment);
    const frame = await selectFrame(q, tenantId);
    const spans = spansOf(window, frame);
    const sent = await splitOf(spans, (of, look) => selectSent(q, tenantId, of, look));
    const taken = await splitOf(spans, async (of, look) =>
      (await selectTaken(q, tenantId, of, { source: OWN_SOURCE, look })).map((row) => ({
        ...row,
        own: row.source === OWN_SOURCE,
      })),
    );
    const labelOf = await endpointLabels(q, tenantId);
    const rows = [
      ...withSeen(
        outbox,
        [...sent.known, ...sent.window].map(({ topic }) => topic),
        labelOf,
      ),
      ...withSeen(
        inbox,
        [...taken.known, ...taken.window].map(({ consumer }) => consumer),
        String,
      ),
    ];
    const unmeasured = window === "now" && frame.minute === undefined;
    return buildFlow({
      at: frame.at,
      window,
      minutes: {
        measured: unmeasured ? 0 : await selectMeasuredMinutes(q, tenantId, spans.span),
        of: LENGTHS[window] / MINUTE_MS,
      },
      rows,
      done: await doneOf(q, tenantId, rows, spans),
      ...{ sent, taken },
      held: new Map((await selectHeld(q, tenantId)).map(({ topic, ...held }): [string, FlowHeld] => [topic, held])),
      endpoints: await endpointTrouble(q, tenantId),
      ends: (topic) => (hasOwnWay(topic) ? leavesOf(topic) : undefined),
      outside: await outsideOf(q, tenantId, deployment.fallback),
      written: await selectWritten(q, tenantId, spans.span),
      undrawn: undrawnOf(await selectUndrawn(q, tenantId, spans.span), spans.span),
      more: outbox.more || inbox.more,
      rolledUpMs: outbox.rolledUpMs,
    });
  });
}

/** @param frame times of the database */
function spansOf(
  window: FlowWindow,
  { at, minute }: { readonly at: string; readonly minute?: string | undefined },
): Spans {
  const end = Math.floor(Date.parse(at) / MINUTE_MS) * MINUTE_MS;
  const span = (from: number, to: number): FlowSpan => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  const known = span(end - DAY_MS, Date.parse(at));
  if (window !== "now") {
    const own = span(end - LENGTHS[window], end);
    return { span: own, usual: { ...own, ...(window === "24h" ? DAY_BEFORE : USUAL) }, known };
  }
  const from = minute === undefined ? end - MINUTE_MS : Date.parse(minute);
  // One minute says little of what is usual: the hour around it does.
  const around = span(from - HOUR_MS / 2, from + HOUR_MS / 2);
  return { span: span(from, from + MINUTE_MS), usual: { ...around, ...USUAL }, known };
}

async function splitOf<Part>(
  { span, known }: Spans,
  read: (span: FlowSpan, look: FlowLook) => Promise<readonly Part[]>,
): Promise<FlowSplit<Part>> {
  return { window: await read(span, "counted"), known: await read(known, "known") };
}

/** The rows of its page, and what it did of late without being among them. */
function withSeen(
  { side, rows }: PlacesView,
  seen: readonly string[],
  labelOf: (place: string) => string,
): readonly PlaceRow[] {
  const listed = new Set(rows.map(({ place }) => place));
  const others = [...new Set(seen)].filter((place) => !listed.has(place)).sort();
  return [...rows, ...others.map((place) => idlePlace(side, place, labelOf(place)))].slice(0, PLACES);
}

/** What each place did in the window; one statement a side. */
async function doneOf(q: Queryable, tenantId: string, rows: readonly PlaceRow[], { span, usual }: Spans) {
  const found = new Map<string, { readonly done: number; readonly usual?: number | undefined }>();
  for (const side of ["outbox", "inbox"] as const) {
    const places = rows.filter((row) => row.side === side).map(({ place }) => place);
    for (const { place, ...did } of await selectFlowRates(q, tenantId, side, places, { span, usual }))
      found.set(`${side} ${place}`, did);
  }
  return ({ side, place }: Pick<PlaceRow, "side" | "place">) => found.get(`${side} ${place}`) ?? { done: 0 };
}

/** The list holds exactly what was counted while the whole window was looked at. */
function undrawnOf({ looked, silent }: UndrawnRow, { from, to }: FlowSpan): FlowUndrawn {
  const all = looked < FLOW_LOOKED;
  const time = { from: withoutMilliseconds(from), to: withoutMilliseconds(to) };
  const href = `/operations${buildSearch({ messages: OPERATION_MESSAGES[0], ...time })}`;
  return { looked, silent, all, href: all && silent > 0 ? href : undefined };
}

async function endpointTrouble(q: Queryable, tenantId: string) {
  const rows = await selectEndpointTrouble(q, tenantId);
  return new Map(
    rows.map(({ topic, disabledAt, openedAt, canaryAt: nextTryAt, lastErrorCode: code }) => {
      const down = openedAt === undefined ? undefined : { since: openedAt, nextTryAt, code };
      return [topic, { disabledAt, down }] satisfies [string, Pick<FlowNode, "disabledAt" | "down">];
    }),
  );
}

function leavesOf(topic: string): string {
  if (alertCarrier(topic) !== undefined) return "leaves as an alert";
  return topic === MAIL_TOPIC ? "leaves as e-mail" : "leaves by webhook";
}

/** Topics that an operator leads elsewhere. */
async function outsideOf(q: Queryable, tenantId: string, fallback: string) {
  const led = (await selectTopics(q, tenantId)).flatMap(({ topic, transport, destination }) =>
    destination === undefined || hasOwnWay(topic)
      ? []
      : [[topic, { destination, transport: carrierOf(topic, transport, fallback) }] as const],
  );
  return new Map(led);
}
