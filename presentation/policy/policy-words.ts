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
  { name: "Other command under the key", fields: ["mismatchStatus", "unknownFields"] },
  {
    name: "While in progress",
    fields: ["inFlight", "waitMs", "inProgressRetryAfter", "leaseSeconds"],
  },
  {
    name: "After it ended",
    fields: ["replay", "refusals", "failures", "maxAttempts", "unknownRetryAfter"],
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

/** What the settings of one group come to for a caller, one sentence each. */
export function effectsOf(group: SettingGroup, policy: OperationPolicy, provider: boolean): readonly string[] {
  switch (group) {
    case SETTING_GROUPS[0]:
      return windowEffects(policy);
    case SETTING_GROUPS[1]:
      return [
        `Another command under a used key gets ${String(policy.mismatchStatus)} and nothing runs.`,
        policy.unknownFields === "reject"
          ? "A request with an unknown field is refused, and nothing is recorded."
          : "Unknown fields are left out: with or without them it is the same command.",
      ];
    case SETTING_GROUPS[2]:
      return inFlightEffects(policy, provider);
    default:
      return endEffects(policy, provider);
  }
}

function windowEffects(policy: OperationPolicy): string[] {
  const after =
    policy.expired === "reject" ? "After that: refused with 410, nothing runs." : "After that: executed again, as new.";
  const replayed = policy.replay === "stored" ? "gets the first answer" : "gets the resource as it is then";
  return [
    `A retry within ${String(policy.ttlHours)} h ${replayed}. ${after}`,
    `Command and answer can be shown for ${String(policy.bodyTtlHours)} h, then they are purged.`,
    `After ${String(policy.metadataTtlDays)} days the record goes too.`,
  ];
}

function inFlightEffects(policy: OperationPolicy, provider: boolean): string[] {
  const text = `409 with Retry-After of at most ${String(policy.inProgressRetryAfter)} s`;
  const second = {
    conflict: `A second request while the first is in progress gets ${text}.`,
    wait: `A second request waits up to ${String(policy.waitMs)} ms for the first answer, then gets ${text}.`,
    accepted: "A second request while the first is in progress gets 202 and the address of the operation.",
  }[policy.inFlight];
  const recovery = provider ? "asks the provider before anything else" : "frees the key: nothing was committed";
  return [
    second,
    `An owner that is silent for ${String(policy.leaseSeconds)} s loses the operation; recovery ${recovery}.`,
  ];
}

function endEffects(policy: OperationPolicy, provider: boolean): string[] {
  const effects = [
    policy.replay === "stored"
      ? "A replay has the status and the bytes of the first answer."
      : "A replay has the resource of today, marked as such.",
    policy.refusals === "binding"
      ? "Business refusals are final: the refusal is the key's answer."
      : "After a business refusal the same key may try again.",
    policy.failures === "retryable"
      ? `A failure without effect frees the key: at most one success in ${String(policy.maxAttempts)} runs.`
      : "A failure that no retry can help is final: it is the key's answer.",
  ];
  if (provider)
    effects.push(
      `While the outcome is unknown: 409 with Retry-After ${String(policy.unknownRetryAfter)} s, and nothing is sent again.`,
    );
  return effects;
}

export function unusedBecause(field: PolicyField, policy: OperationPolicy, provider: boolean): string | undefined {
  if (field === "waitMs" && policy.inFlight !== "wait") return "not used: nobody waits";
  if (field === "unknownRetryAfter" && !provider) return "not used: no provider";
  return undefined;
}

/** Shortest window without a warning, hours: a client may retry the next day. */
const SHORT_WINDOW_HOURS = 24;

export function riskOf(field: PolicyField, policy: OperationPolicy, provider: boolean): string | undefined {
  return RISKS[field]?.(policy, provider) || undefined;
}

/** Says nothing of a value without a risk. */
const RISKS: Readonly<Partial<Record<PolicyField, (policy: OperationPolicy, provider: boolean) => string | false>>> = {
  expired: ({ expired }, provider) =>
    expired === "execute" &&
    `A late retry ${provider ? "moves money" : "runs"} again: once the window is over, the same key is a new command.`,
  inFlight: ({ inFlight }) =>
    inFlight === "accepted" && "Common SDKs take 202 as final success: a caller may believe that it is done.",
  replay: ({ replay }) =>
    replay === "reference" && "A replay shows today's state, not the first answer: its bytes may differ.",
  unknownFields: ({ unknownFields }) =>
    unknownFields === "ignore" && "A misspelt field is dropped silently, and the command runs without it.",
  ttlHours: ({ ttlHours }) =>
    ttlHours < SHORT_WINDOW_HOURS &&
    `Shorter than ${String(SHORT_WINDOW_HOURS)} h: a client that tries again the next day comes too late.`,
};

/** @returns what a change does, and does not do, to keys that were claimed before it; one sentence each. */
export function carryOver(before: OperationPolicy, after: OperationPolicy): readonly string[] {
  const differs = (...fields: readonly PolicyField[]): boolean =>
    fields.some((field) => before[field] !== after[field]);
  const effects: string[] = [];
  if (differs("ttlHours", "metadataTtlDays"))
    effects.push("Claimed keys keep the window and retention that were stored with them.");
  if (after.bodyTtlHours < before.bodyTtlHours)
    effects.push(
      "The next purge also takes older bodies of keys claimed before. A retry in a window that is still open then gets 410 and the name of what was made.",
    );
  if (differs("expired")) effects.push("It applies at once, also to keys whose window is over.");
  if (differs("replay", "refusals", "failures")) effects.push("Operations that ended keep their answer.");
  if (differs("leaseSeconds")) effects.push("A running lease ends when it would have.");
  if (
    differs(
      "mismatchStatus",
      "unknownFields",
      "inFlight",
      "waitMs",
      "inProgressRetryAfter",
      "unknownRetryAfter",
      "maxAttempts",
    )
  )
    effects.push("Callers see the change with their next request, also under older keys.");
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
