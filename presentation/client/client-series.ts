import type { ClientSeries } from "../views/clients";
import type { MeasureSum, RefusalSum } from "@/domain/metrics/client-sums";

type Slotted<Row> = Row & { readonly slot: number };

const MEASURES: readonly (readonly [name: ClientSeries["name"], measure: string])[] = [
  ["executed", "outcome:executed"],
  ["replayed", "outcome:replayed"],
  ["in_progress", "outcome:in_progress"],
  ["conflict", "outcome:conflict"],
  ["expired_retry", "outcome:expired_retry"],
  ["fast", "fast"],
];
const NO_KEY: ReadonlySet<string> = new Set(["idempotency.key_missing", "idempotency.key_invalid"]);

/** Lays the roll-ups of one client on one axis; a bar without requests is 0. @param size bars of the range */
export function clientSeries(
  slots: readonly Slotted<MeasureSum>[],
  refusals: readonly Slotted<RefusalSum>[],
  size: number,
): readonly ClientSeries[] {
  const sparkline = (name: ClientSeries["name"], rows: readonly { slot: number; count: number }[]): ClientSeries => {
    const values = new Array<number>(size).fill(0);
    for (const { slot, count } of rows) if (slot >= 0 && slot < size) values[slot] = (values[slot] ?? 0) + count;
    return { name, values, total: values.reduce((sum, value) => sum + value, 0) };
  };
  const answered = MEASURES.map(([name, measure]) => {
    const own = slots.filter((row) => row.measure === measure);
    return sparkline(name, own);
  });
  const keyless = refusals.filter(({ code }) => NO_KEY.has(code));
  return [...answered, sparkline("no_key", keyless)];
}

export function sumSlots(slots: readonly Slotted<MeasureSum>[]): readonly MeasureSum[] {
  const sums = new Map<string, MeasureSum>();
  for (const { client, measure, count, sum, top } of slots) {
    const known = sums.get(measure);
    sums.set(measure, {
      client,
      measure,
      count: (known?.count ?? 0) + count,
      sum: (known?.sum ?? 0) + sum,
      top: Math.max(known?.top ?? 0, top),
    });
  }
  return [...sums.values()];
}
