import { sha256 } from "./sha256";

/**
 * A stable id for a side effect of an operation: every attempt and every recovery of one operation names the same
 * payment, hence the same provider key. The operation's time stays in front, so the ids sort like UUIDv7.
 *
 * @param operationId UUIDv7 @param kind what it names, e.g. `payment`
 */
export function derivedId(operationId: string, kind: string): string {
  const bytes = Buffer.concat([
    Buffer.from(operationId.slice(0, 8) + operationId.slice(9, 13), "hex"),
    sha256(`${kind}:${operationId}`).subarray(0, 10),
  ]);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
