import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

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
  readonly reference?: string | undefined;
  readonly chargeReference?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const MAX_TEXT = 255;
const MAX_METADATA = 20;

const text = z.string().min(1).max(MAX_TEXT);
const AMOUNT = "amount must be a string of minor units.";
const CURRENCY = "currency must be three capital letters.";
const METADATA = `metadata must be an object of at most ${String(MAX_METADATA)} strings.`;
const shape = z.object(
  {
    amount: z.string(AMOUNT).regex(/^(?:0|[1-9]\d{0,15})$/, AMOUNT),
    currency: z.string(CURRENCY).regex(/^[A-Z]{3}$/, CURRENCY),
    accountId: text.optional().catch(undefined),
    reference: text.optional().catch(undefined),
    chargeReference: text.optional().catch(undefined),
    metadata: z
      .record(z.string(), z.string(METADATA).max(MAX_TEXT, METADATA), METADATA)
      .refine((value) => Object.keys(value).length <= MAX_METADATA, METADATA)
      .nullish()
      .transform((value) => value ?? {}),
  },
  "The body must be a JSON object.",
);

/** @returns the command, or one sentence that says what is wrong with the request. */
export function readCommand(kind: ObjectKind, headers: IncomingHttpHeaders, body: unknown): SandboxCommand | string {
  const providerKey = headers["idempotency-key"];
  if (typeof providerKey !== "string" || !KEY.test(providerKey)) return "Idempotency-Key is missing or malformed.";
  const { data, error } = shape.safeParse(body);
  if (data === undefined) return error.issues[0]?.message ?? "";
  const { accountId, ...given } = data;
  if (given.amount === "0" && kind !== "void") return "amount must be greater than zero.";
  if (accountId === undefined) return "accountId is missing.";
  if (kind !== "charge" && given.chargeReference === undefined) return `chargeReference is required for a ${kind}.`;
  return { kind, providerKey, accountId, ...given };
}

/** Metadata is not compared: a retry may carry another request id and still means the same effect. */
const COMPARED = ["kind", "amount", "currency", "accountId", "reference", "chargeReference"] as const;

export function isSameCommand(a: SandboxCommand, b: SandboxCommand): boolean {
  return COMPARED.every((name) => a[name] === b[name]);
}
