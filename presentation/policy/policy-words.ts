import { formatCount } from "../format/display-time";
import type { OperationPolicy, PolicyField, PolicyLayer } from "@/domain/idempotency/policy";

/** A policy in words, for the page, its form and the facts of one operation. Pure: the form says the effect while somebody types. */

type Value = OperationPolicy[PolicyField];

interface Setting {
  readonly label: string;
  readonly unit?: "h" | "days" | "s" | "ms" | "runs";
  /** A choice: what each value does. */
  readonly choices?: Readonly<Record<string, string>>;
}

export const SETTINGS: Readonly<Record<PolicyField, Setting>> = {
  ttlHours: { label: "Key window", unit: "h" },
  expired: {
    label: "Retry after the window",
    choices: { reject: "refused with 410", execute: "executed again" },
  },
  scope: {
    label: "One key of two clients",
    choices: { operation: "the second is refused", principal: "a key of each" },
  },
  newKey: {
    label: "Another key for the same thing",
    choices: { again: "may do it again", once: "refused" },
  },
  key: {
    label: "Request without a key",
    choices: { required: "refused with 400", optional: "runs unprotected" },
  },
  bodyTtlHours: { label: "Bodies are kept", unit: "h" },
  metadataTtlDays: { label: "Metadata is kept", unit: "days" },
  mismatchStatus: {
    label: "Same key, other command",
    choices: { 409: "refused with 409", 422: "refused with 422" },
  },
  unknownFields: {
    label: "Unknown fields",
    choices: { reject: "refused with 422", ignore: "left out" },
  },
  inFlight: {
    label: "Second request while in progress",
    choices: {
      conflict: "409 at once",
      wait: "waits, then 409",
      accepted: "202 and the operation's address",
    },
  },
  waitMs: { label: "Longest wait", unit: "ms" },
  inProgressRetryAfter: { label: "Retry-After while in progress, at most", unit: "s" },
  leaseSeconds: { label: "Lease", unit: "s" },
  replay: {
    label: "Replay returns",
    choices: { stored: "the first answer's bytes", reference: "the resource as it is now" },
  },
  refusals: {
    label: "Business refusals",
    choices: { binding: "final", not_binding: "free the key" },
  },
  failures: {
    label: "Failures without effect",
    choices: { retryable: "may run again", strict: "final when no retry can help" },
  },
  maxAttempts: { label: "Most runs of one key", unit: "runs" },
  unknownRetryAfter: { label: "Retry-After while the outcome is unknown", unit: "s" },
};

export interface SettingGroup {
  readonly name: string;
  readonly fields: readonly PolicyField[];
}

/** In the order in which a key meets them. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  { name: "Window and retention", fields: ["ttlHours", "expired", "bodyTtlHours", "metadataTtlDays"] },
  { name: "Other command under the key", fields: ["mismatchStatus", "scope", "key", "unknownFields"] },
  {
    name: "While in progress",
    fields: ["inFlight", "waitMs", "inProgressRetryAfter", "leaseSeconds"],
  },
  {
    name: "After it ended",
    fields: ["replay", "refusals", "failures", "newKey", "maxAttempts", "unknownRetryAfter"],
  },
];

const LAYER_WORDS: Readonly<Record<PolicyLayer, string>> = {
  default: "default",
  environment: "environment",
  operation: "operation",
  tenant: "this tenant",
};

export function layerWord(layer: PolicyLayer): string {
  return LAYER_WORDS[layer];
}

export function shownSetting(field: PolicyField, value: Value): string {
  const { unit, choices } = SETTINGS[field];
  if (choices !== undefined) return choices[String(value)] ?? String(value);
  return unit === undefined ? String(value) : `${formatCount(Number(value))} ${unit}`;
}

/** An operation with its policy, as sentences are about it. */
export interface Ruled {
  readonly policy: OperationPolicy;
  /** It calls a provider. */
  readonly provider: boolean;
  /** What it is done to, where it obeys `newKey`: "payment". */
  readonly onceFor?: string | undefined;
}

export function unusedBecause(field: PolicyField, { policy, provider, onceFor }: Ruled): string | undefined {
  if (field === "waitMs" && policy.inFlight !== "wait") return "not used: nobody waits";
  if (field === "unknownRetryAfter" && !provider) return "not used: no provider";
  if (field === "newKey" && onceFor === undefined) return "not used: the operation's own rules decide";
  return undefined;
}

/** @returns what a change does, and does not do, to keys that were claimed before it; one sentence each. */
export function carryOver(before: OperationPolicy, after: OperationPolicy): readonly string[] {
  const differs = (...fields: readonly PolicyField[]): boolean =>
    fields.some((field) => before[field] !== after[field]);
  const effects: string[] = [];
  if (differs("ttlHours", "metadataTtlDays"))
    effects.push("Claimed keys keep the window and retention that were stored with them.");
  if (after.bodyTtlHours < before.bodyTtlHours)
    effects.push(
      "The next purge also takes older bodies of keys claimed before. Within its window a retry whose answer is deleted then gets 410, with the name of what was made if something was.",
    );
  if (differs("expired")) effects.push("It also applies to keys whose window is over.");
  if (differs("replay", "refusals", "failures")) effects.push("Operations that ended keep their answer.");
  if (differs("leaseSeconds")) effects.push("A running lease ends when it would have.");
  if (
    differs(
      "mismatchStatus",
      "scope",
      "key",
      "unknownFields",
      "inFlight",
      "waitMs",
      "inProgressRetryAfter",
      "unknownRetryAfter",
      "maxAttempts",
      "newKey",
    )
  )
    effects.push("It also applies to requests under older keys.");
  return effects;
}

/** `leaseSeconds`, but not `replay`: a name that is a word of the language as well stays as it is. */
const NAME = /\b[a-z]+(?:[A-Z][a-z]*)+\b/g;

/** @returns a finding's sentence with the page's words in place of the names of settings. */
export function settingsInWords(message: string): string {
  return message.replace(NAME, (name) =>
    Object.hasOwn(SETTINGS, name) ? `“${SETTINGS[name as PolicyField].label}”` : name,
  );
}
