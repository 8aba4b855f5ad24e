/**
 * A key per business action: UUIDv7, so keys of one client sort by time. Own code, because this library has no
 * dependencies and runs in a browser.
 * @param nowMs milliseconds since 1970
 */
export function uuidv7(nowMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let rest = Math.floor(nowMs);
  for (let index = 5; index >= 0; index -= 1) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
