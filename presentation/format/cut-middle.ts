import { UUID } from "@/domain/uuid";

const HEAD = 4;
const TAIL = 8;
const LONG = 20;
/** Of a name in a sentence. */
const LONG_NAME = 48;
const NAME_HEAD = 28;
const NAME_TAIL = 12;

/**
 * Shortens an id so that its tail survives: UUIDv7 heads are alike, tails are not. Keys and references keep
 * what people wrote at both ends.
 * @returns the text itself when it is short enough
 */
export function cutMiddle(id: string): string {
  if (UUID.test(id)) return `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`;
  if (id.length <= LONG) return id;
  const uuid = id.slice(-36);
  if (UUID.test(uuid)) return `${id.slice(0, Math.min(id.length - 36, 17))}…${uuid.slice(-TAIL)}`;
  return `${id.slice(0, 7)}…${id.slice(-12)}`;
}

/** A name that stands in a sentence, so that a long one leaves the sentence readable. @returns the name itself up to 48 characters */
export function cutName(name: string): string {
  return name.length <= LONG_NAME ? name : `${name.slice(0, NAME_HEAD)}…${name.slice(-NAME_TAIL)}`;
}

/** @returns a label that fits its column: both ends of it stay */
export function fitLabel(label: string, most: number): string {
  if (label.length <= most) return label;
  const tail = Math.floor((most - 1) / 3);
  return `${label.slice(0, most - 1 - tail)}…${label.slice(-tail)}`;
}
