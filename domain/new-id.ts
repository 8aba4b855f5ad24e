import { v7 } from "uuid";

const RANDOM_BYTES = 16;
/** Drawn for so many ids at once: one draw for each would be the dearest part of making it. */
const IDS_AT_ONCE = 256;
/** `seq` of a UUIDv7 has 32 bits; it begins with its highest one free, so that a millisecond holds two thousand million ids. */
const SEQUENCES = 2 ** 32;
const FIRST_SEQUENCE_MASK = 0x7f_ff_ff_ff;

const random = new Uint8Array(RANDOM_BYTES * IDS_AT_ONCE);
const words = new DataView(random.buffer);
let used = random.length;
let lastMs = -Infinity;
let sequence = 0;

/**
 * @returns a new UUIDv7 (RFC 9562, 5.7) that sorts after every earlier one of this process, also when the clock was set back. Its
 *   last 50 bits are random, so that ids of other processes are others.
 */
export function newId(): string {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  const start = used;
  used += RANDOM_BYTES;
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = words.getUint32(start) & FIRST_SEQUENCE_MASK;
  } else {
    sequence = (sequence + 1) % SEQUENCES;
    if (sequence === 0) lastMs += 1;
  }
  return v7({ random: random.subarray(start, used), msecs: lastMs, seq: sequence });
}
