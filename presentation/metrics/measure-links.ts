import { hrefWith } from "../list/page-address";
import type { MeasureList, MeasureSeries } from "../views/metrics";
import type { MetricGroup } from "@/domain/lists/filters";

export const NO_CLIENT = "no client";
/** Place of the line that holds every group beyond the largest. */
export const REST_SLOT = 6;

export interface LinkedGroup {
  readonly by: MetricGroup;
  readonly name: string;
}

/** @returns undefined where the line stands for no group, or for one that no list can be asked for */
export function groupOfLine(
  by: MetricGroup | undefined,
  { label, slot }: Pick<MeasureSeries, "label" | "slot">,
): LinkedGroup | undefined {
  const named = slot > 0 && slot < REST_SLOT && label !== NO_CLIENT;
  return by !== undefined && named ? { by, name: label } : undefined;
}

/** @returns the list behind some time of a chart: of exactly that time and group where it has such filters. @param window RFC 3339 */
export function listHref(
  list: MeasureList,
  window: { readonly from: string; readonly to: string },
  group?: LinkedGroup,
): string {
  const narrowed = group !== undefined && list.groups.includes(group.by) ? { [nameOf(list, group)]: group.name } : {};
  const time = list.windowed ? { from: withoutMilliseconds(window.from), to: withoutMilliseconds(window.to) } : {};
  return hrefWith({ path: list.path, search: { ...list.search, ...narrowed } }, time);
}

/** Of what became of operations, the client is the one that was told: what recovery found of its keys is of no client. */
function nameOf({ search }: MeasureList, { by }: LinkedGroup): string {
  return by === "client" && search["became"] !== undefined ? "answeredTo" : by;
}

/** What such a link opens, in words: also that it is of every group, or of none. */
export function listLabel(list: MeasureList, by: MetricGroup | undefined, group?: LinkedGroup): string {
  if (by === undefined) return list.label;
  if (!list.groups.includes(by)) return `${list.label}, not by ${by}`;
  return `${list.label}, ${group === undefined ? `every ${by}` : group.name}`;
}

/** Buckets begin at whole minutes: no need for milliseconds in an address. */
export function withoutMilliseconds(iso: string): string {
  return iso.replace(/\.\d+Z$/, "Z");
}

/** Two lines nearer to each other than this cannot be told apart by a pointer; further from a line it means none. px */
const APART = 3;
const NEAR = 12;

/** @returns which line a pointer means; undefined where it is not clear. @param values at one bucket @param at px from the base */
export function lineAt(
  values: readonly (number | null)[],
  { at, top, height }: { readonly at: number; readonly top: number; readonly height: number },
): number | undefined {
  const found = values
    .flatMap((value, index) => (value === null ? [] : [{ index, far: Math.abs((value / top) * height - at) }]))
    .sort((a, b) => a.far - b.far);
  const [first, second] = found;
  if (first === undefined || first.far > NEAR) return undefined;
  return second !== undefined && second.far - first.far < APART ? undefined : first.index;
}
