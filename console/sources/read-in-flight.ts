import { readInFlight, type FlightView } from "@/attach/read/in-flight";
import type { OpenAttachment } from "@/console/attachments/open-attachment";
import type { EngineContext } from "@/engine/context";
import type { SourceFlightList, SourceFlightView } from "@/presentation/views/sources";
import { IN_FLIGHT_SHOWN, OLD_IN_FLIGHT_MS } from "./limits";
import { orCutOff } from "./cut-off";
import { shownRow, viewFacts } from "./shown-row";
import { flightViews, sourceHead, withSource, type SourceBy } from "./with-source";

/**
 * What is in flight in an attached database and what of it is stale, the oldest first, or why that is not shown.
 *
 * @returns undefined when the tenant has no such attachment, or its tables cannot tell
 * @throws AppError those of `withSource`
 */
export function readSourceInFlight(ctx: EngineContext, by: SourceBy): Promise<SourceFlightView | undefined> {
  return withSource(ctx, by, async (open) => {
    const views = flightViews(open.manifest);
    if (views.length === 0) return undefined;
    const lists: SourceFlightList[] = [];
    // One after the other: it is somebody else's database.
    for (const view of views) lists.push(await flightList(ctx, open, view));
    const source = sourceHead(ctx, open);
    return { source, at: source.at, oldAfterMs: OLD_IN_FLIGHT_MS, lists };
  });
}

async function flightList(
  ctx: EngineContext,
  { foreign, row, manifest }: OpenAttachment,
  view: FlightView,
): Promise<SourceFlightList> {
  const types = manifest.views[view]?.order ?? [];
  const ask = { oldSeconds: OLD_IN_FLIGHT_MS / 1_000, most: IN_FLIGHT_SHOWN };
  const read = await orCutOff(ctx, { row }, view, () => readInFlight(foreign, row.installedAs, view, types, ask));
  const facts = viewFacts(manifest, view);
  if ("because" in read) return { ...facts, page: { kind: "not_shown", because: read.because } };
  const rows = read.value.rows.map(({ row: each, standing }) => ({ ...shownRow(view, each), standing }));
  return { ...facts, page: { kind: "rows", rows, counts: read.value.counts } };
}
