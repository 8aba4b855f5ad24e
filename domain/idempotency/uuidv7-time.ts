import { UUID } from "../uuid";

/** @returns when a UUIDv7 was made, in milliseconds since the epoch; undefined for any other text. */
export function uuidv7Time(text: string): number | undefined {
  const isVersion7 = UUID.test(text) && text[14] === "7" && /[89ab]/i.test(text[19] ?? "");
  return isVersion7 ? Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16) : undefined;
}
