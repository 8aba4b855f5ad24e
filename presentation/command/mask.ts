import { exactDigits } from "@/domain/idempotency/exact-json";

export interface MaskedField {
  readonly name: string;
  readonly value: string;
  /** The value is replaced by dots; reveal it with a reason. */
  readonly masked: boolean;
}

/** Shown to everybody who may read operations: what lists show anyway. Any other field is masked, also one we do not know. */
const PLAIN = new Set([
  "operation",
  "apiVersion",
  "amount",
  "currency",
  "accountId",
  "paymentId",
  "refundId",
  "merchantReference",
  "channel",
  "status",
  "operationId",
  "createdAt",
  "type",
  "id",
  "occurredAt",
  "timestamp",
  "tenant",
  "providerKey",
  "defaultCurrency",
]);
const DOTS = "••••••";
/** Fields and depth that are listed; the rest is left out. */
const MAX_FIELDS = 60;
const MAX_DEPTH = 4;
const MAX_TEXT = 200;

/** @returns the value of a plain field, else dots; null is "absent" in both cases: that a field is missing is no secret. */
export function maskValue(name: string, value: unknown): MaskedField {
  if (value === null || value === undefined) return { name, value: "absent", masked: false };
  const leaf = name.split(".").at(-1) ?? name;
  if (!PLAIN.has(leaf)) return { name, value: DOTS, masked: true };
  return {
    name,
    value: (typeof value === "string" ? value : (exactDigits(value) ?? JSON.stringify(value))).slice(0, MAX_TEXT),
    masked: false,
  };
}

/** Flattens a JSON document into masked fields: `data.amount`. Lists and what is too deep are masked whole. */
export function maskDocument(document: unknown): readonly MaskedField[] {
  const fields: MaskedField[] = [];
  walk(document, "", 0, fields);
  return fields;
}

function walk(value: unknown, path: string, depth: number, into: MaskedField[]): void {
  if (into.length >= MAX_FIELDS) return;
  const number = exactDigits(value) !== undefined;
  if (number || typeof value !== "object" || value === null || Array.isArray(value) || depth >= MAX_DEPTH) {
    into.push(
      !number && typeof value === "object" && value !== null
        ? { name: path === "" ? "body" : path, value: DOTS, masked: true }
        : maskValue(path === "" ? "body" : path, value),
    );
    return;
  }
  for (const [name, member] of Object.entries(value))
    walk(member, path === "" ? name : `${path}.${name}`, depth + 1, into);
}

export function shortHash(hash: Uint8Array): string {
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 4)}…${hex.slice(-4)}`;
}
