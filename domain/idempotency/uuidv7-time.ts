const UUIDV7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** @returns when a UUIDv7 was made, in milliseconds since the epoch (RFC 9562 §5.7); undefined for any other text. */
export function uuidv7Time(text: string): number | undefined {
  const parts = UUIDV7.exec(text);
  return parts === null ? undefined : Number.parseInt(`${parts[1] ?? ""}${parts[2] ?? ""}`, 16);
}
