import type { IncomingHttpHeaders } from "node:http";

export const OBJECT_KINDS = ["charge", "refund", "void"] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** What a caller asks for; equal commands under one key are one effect. */
export interface SandboxCommand {
  readonly kind: ObjectKind;
  readonly providerKey: string;
  /** Minor units as a decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly accountId: string;
  readonly reference?: string;
  readonly chargeReference?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const AMOUNT = /^(?:0|[1-9]\d{0,15})$/;
const CURRENCY = /^[A-Z]{3}$/;
const KEY = /^[\x21-\x7e]{1,255}$/;
const MAX_TEXT = 255;
const MAX_METADATA = 20;

/** @returns the command, or one sentence that says what is wrong with the request. */
export function readCommand(kind: ObjectKind, headers: IncomingHttpHeaders, body: unknown): SandboxCommand | string {
  const providerKey = headers["idempotency-key"];
  if (typeof providerKey !== "string" || !KEY.test(providerKey)) return "Idempotency-Key is missing or malformed.";
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "The body must be a JSON object.";
  const fields: Record<string, unknown> = { ...body };
  const amount = fields["amount"];
  const currency = fields["currency"];
  const accountId = text(fields["accountId"]);
  const chargeReference = text(fields["chargeReference"]);
  if (typeof amount !== "string" || !AMOUNT.test(amount)) return "amount must be a string of minor units.";
  if (amount === "0" && kind !== "void") return "amount must be greater than zero.";
  if (typeof currency !== "string" || !CURRENCY.test(currency)) return "currency must be three capital letters.";
  if (accountId === undefined) return "accountId is missing.";
  if (kind !== "charge" && chargeReference === undefined) return `chargeReference is required for a ${kind}.`;
  const metadata = readMetadata(fields["metadata"] ?? {});
  if (metadata === undefined) return `metadata must be an object of at most ${String(MAX_METADATA)} strings.`;
  const reference = text(fields["reference"]);
  return {
    kind,
    providerKey,
    amount,
    currency,
    accountId,
    metadata,
    ...(reference === undefined ? {} : { reference }),
    ...(chargeReference === undefined ? {} : { chargeReference }),
  };
}

/** Metadata is not compared: a retry may carry another request id and still means the same effect. */
export function isSameCommand(a: SandboxCommand, b: SandboxCommand): boolean {
  return (
    a.kind === b.kind &&
    a.amount === b.amount &&
    a.currency === b.currency &&
    a.accountId === b.accountId &&
    a.reference === b.reference &&
    a.chargeReference === b.chargeReference
  );
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_TEXT ? value : undefined;
}

function readMetadata(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const metadata: Record<string, string> = {};
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > MAX_METADATA) return undefined;
  for (const [name, entry] of entries) {
    if (typeof entry !== "string" || entry.length > MAX_TEXT) return undefined;
    metadata[name] = entry;
  }
  return metadata;
}
