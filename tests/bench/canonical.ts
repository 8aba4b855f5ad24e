import { canonicalize, type CanonicalValue } from "@/domain/idempotency/canonical";

/** Bytes of the command that is made canonical again and again: a wide order with nested lines. */
const LINES = 40;
const WARM_UP_MS = 200;

/** @returns megabytes of canonical text a second, on one thread. */
export function measureCanonical(durationMs: number): number {
  const command: CanonicalValue = {
    reference: "order-2026-000123",
    currency: "EUR",
    note: 'Grüße, with "quotes" and a line\nbreak',
    lines: Array.from({ length: LINES }, (_, index) => ({
      sku: `sku-${String(index)}`,
      quantity: index,
      amount: "42.00",
      options: { colour: "blue", size: null, gift: false },
    })),
  };
  const size = Buffer.byteLength(canonicalize(command));
  rounds(command, WARM_UP_MS);
  const begin = performance.now();
  const count = rounds(command, durationMs);
  return (count * size) / 1e6 / ((performance.now() - begin) / 1_000);
}

function rounds(command: CanonicalValue, durationMs: number): number {
  const end = performance.now() + durationMs;
  let count = 0;
  while (performance.now() < end) {
    canonicalize(command);
    count += 1;
  }
  return count;
}
