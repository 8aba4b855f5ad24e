import type { OperationPolicy, PolicyField } from "@/domain/idempotency/policy";
import { claimWords, type PageClaim } from "@/domain/page-claim";
import { SETTING_GROUPS, type Ruled, type SettingGroup } from "./policy-words";

type Holds = (ruled: Ruled) => boolean;
const always: Holds = () => true;
const is =
  <Field extends PolicyField>(field: Field, value: OperationPolicy[Field]): Holds =>
  ({ policy }) =>
    policy[field] === value;
/** A rule whose words are the same for every policy under which it holds, or are filled with its settings. */
const claim = (
  name: string,
  holds: Holds,
  words: string | ((policy: OperationPolicy, ruled: Ruled) => string),
): PageClaim<Ruled> => ({
  name,
  holds,
  words: typeof words === "string" ? () => words : (ruled) => words(ruled.policy, ruled),
});
/** Only of an operation that obeys the setting. */
const newKey =
  (value: OperationPolicy["newKey"]): Holds =>
  (ruled) =>
    ruled.onceFor !== undefined && is("newKey", value)(ruled);

const replayText = ({ replay }: OperationPolicy): string =>
  replay === "stored" ? "gets the first answer" : "gets the resource as it is then";
const conflictText = ({ inProgressRetryAfter }: OperationPolicy): string =>
  `409 with Retry-After of at most ${String(inProgressRetryAfter)} s`;

/** By group of settings, in the order of SETTING_GROUPS: what they come to for a caller. */
export const EFFECT_CLAIMS: readonly (readonly PageClaim<Ruled>[])[] = [
  [
    claim(
      "refused after the window",
      is("expired", "reject"),
      (policy) =>
        `A retry within ${String(policy.ttlHours)} h ${replayText(policy)}. After that: refused with 410, nothing runs.`,
    ),
    claim(
      "executed after the window",
      is("expired", "execute"),
      (policy) =>
        `A retry within ${String(policy.ttlHours)} h ${replayText(policy)}. After that: executed again, as new.`,
    ),
    claim(
      "bodies purged",
      always,
      ({ bodyTtlHours }) =>
        `The worker purges command and answer after ${String(bodyTtlHours)} h, once the operation is settled.`,
    ),
    claim(
      "record purged",
      always,
      ({ metadataTtlDays }) => `The record is kept for ${String(metadataTtlDays)} days at least.`,
    ),
  ],
  [
    claim(
      "another command",
      always,
      ({ mismatchStatus }) => `Another command under a used key gets ${String(mismatchStatus)} and nothing runs.`,
    ),
    claim(
      "key of a tenant",
      is("scope", "operation"),
      "Another client's key is refused as a conflict that names no operation, and nothing runs.",
    ),
    claim(
      "key of a client",
      is("scope", "principal"),
      "A key belongs to its client: another client may use the same one for a command of its own.",
    ),
    claim(
      "no key refused",
      is("key", "required"),
      "A request without a key is refused with 400, and nothing is recorded.",
    ),
    claim(
      "no key runs",
      is("key", "optional"),
      "A request without a key runs under a new one that only its answer names: sent twice, it runs twice.",
    ),
    claim(
      "unknown field refused",
      is("unknownFields", "reject"),
      "A request with an unknown field is refused, and nothing is recorded.",
    ),
    claim(
      "unknown field left out",
      is("unknownFields", "ignore"),
      "Unknown fields are left out: with or without them it is the same command.",
    ),
  ],
  [
    claim(
      "second refused",
      is("inFlight", "conflict"),
      (policy) => `A second request while the first is in progress gets ${conflictText(policy)}.`,
    ),
    claim(
      "second waits",
      is("inFlight", "wait"),
      (policy) =>
        `A second request waits up to ${String(policy.waitMs)} ms for the first answer, then gets ${conflictText(policy)}.`,
    ),
    claim(
      "second accepted",
      is("inFlight", "accepted"),
      "A second request while the first is in progress gets 202 and the address of the operation.",
    ),
    claim(
      "recovery asks",
      ({ provider }) => provider,
      ({ leaseSeconds }) =>
        `An owner that is silent for ${String(leaseSeconds)} s loses the operation; recovery asks the provider before anything else.`,
    ),
    claim(
      "recovery frees",
      ({ provider }) => !provider,
      ({ leaseSeconds }) =>
        `An owner that is silent for ${String(leaseSeconds)} s loses the operation; recovery frees the key: nothing was committed.`,
    ),
  ],
  [
    claim("replay stored", is("replay", "stored"), "A replay has the status and the bytes of the first answer."),
    claim("replay today", is("replay", "reference"), "A replay has the resource of today, marked as such."),
    claim("refusals final", is("refusals", "binding"), "Business refusals are final: the refusal is the key's answer."),
    claim("refusals free", is("refusals", "not_binding"), "After a business refusal the same key may try again."),
    claim(
      "failures free",
      is("failures", "retryable"),
      ({ maxAttempts }) =>
        `A failure without effect frees the key: at most one success in ${String(maxAttempts)} runs.`,
    ),
    claim(
      "failures final",
      is("failures", "strict"),
      "A failure that no retry can help is final: it is the key's answer.",
    ),
    claim(
      "new key again",
      newKey("again"),
      (_policy, { onceFor = "" }) =>
        `Another key may do it to the same ${onceFor} again, as far as the operation's own rules allow.`,
    ),
    claim(
      "new key refused",
      newKey("once"),
      (_policy, { onceFor = "" }) =>
        `It is done to the same ${onceFor} once: after that, and while the first one may still take effect, another key is refused.`,
    ),
    claim(
      "outcome unknown",
      ({ provider }) => provider,
      ({ unknownRetryAfter }) =>
        `While the outcome is unknown: 409 with Retry-After ${String(unknownRetryAfter)} s, and nothing is sent again.`,
    ),
  ],
];

/** Shortest window without a warning, hours: a client may retry the next day. */
const SHORT_WINDOW_HOURS = 24;

/** By setting: what its value risks; nothing of a value without a risk. */
export const RISK_CLAIMS: Readonly<Partial<Record<PolicyField, readonly PageClaim<Ruled>[]>>> = {
  expired: [
    claim(
      "money moves again",
      (ruled) => is("expired", "execute")(ruled) && ruled.provider,
      "A late retry moves money again: once the window is over, the same key is a new command.",
    ),
    claim(
      "runs again",
      (ruled) => is("expired", "execute")(ruled) && !ruled.provider,
      "A late retry runs again: once the window is over, the same key is a new command.",
    ),
  ],
  inFlight: [
    claim(
      "202 taken for success",
      is("inFlight", "accepted"),
      "Common SDKs take 202 as final success: a caller may believe that it is done.",
    ),
  ],
  replay: [
    claim(
      "other bytes",
      is("replay", "reference"),
      "A replay shows today's state, not the first answer: its bytes may differ.",
    ),
  ],
  scope: [
    claim(
      "purged beside",
      is("scope", "principal"),
      "Set back later, a client whose key stands beside another's may run again once the other's record is purged.",
    ),
  ],
  key: [
    claim(
      "runs twice",
      is("key", "optional"),
      "A retry of a lost answer without a key is a second command: nothing protects it.",
    ),
  ],
  newKey: [
    claim("meant twice", newKey("once"), "A second one that is meant is refused as well, whatever key it comes with."),
  ],
  unknownFields: [
    claim(
      "dropped silently",
      is("unknownFields", "ignore"),
      "A misspelt field is dropped silently, and the command runs without it.",
    ),
  ],
  ttlHours: [
    claim(
      "short window",
      ({ policy }) => policy.ttlHours < SHORT_WINDOW_HOURS,
      `Shorter than ${String(SHORT_WINDOW_HOURS)} h: a client that tries again the next day comes too late.`,
    ),
  ],
};

/** What the settings of one group come to for a caller, one sentence each. */
export function effectsOf(group: SettingGroup, ruled: Ruled): readonly string[] {
  return claimWords(EFFECT_CLAIMS[SETTING_GROUPS.indexOf(group)] ?? [], ruled);
}

export function riskOf(field: PolicyField, ruled: Ruled): string | undefined {
  return claimWords(RISK_CLAIMS[field] ?? [], ruled)[0];
}
