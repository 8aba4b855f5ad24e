import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_POLICY,
  type OperationPolicy,
  policyBounds,
  POLICY_FIELDS,
  type PolicyField,
} from "@/domain/idempotency/policy";
import { effectsOf, riskOf } from "./policy-claims";
import { SETTING_GROUPS, SETTINGS, type Ruled } from "./policy-words";

/** Every policy that somebody may decide, and some that nobody may. */
const policies = fc.record(
  Object.fromEntries(
    POLICY_FIELDS.map((field): [string, fc.Arbitrary<unknown>] => {
      const { choices } = SETTINGS[field];
      const [least, most] = policyBounds(field) ?? [1, 50];
      const kept = (choice: string) => (typeof DEFAULT_POLICY[field] === "number" ? Number(choice) : choice);
      if (choices !== undefined) return [field, fc.constantFrom(...Object.keys(choices).map(kept))];
      return [field, fc.oneof(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: least + 30 }))];
    }),
  ),
) as unknown as fc.Arbitrary<OperationPolicy>;

type Sentence = readonly [
  words: RegExp,
  /** The settings that its figures are, in their order. */
  figures: readonly PolicyField[],
  /** Settings and their values under which it is said; under every other it is not. */
  when: Partial<OperationPolicy> & { readonly provider?: boolean; readonly onceFor?: string },
];

const PROVIDER = { provider: true } as const;
const EFFECTS: readonly Sentence[] = [
  [/^A retry within (\d+) h gets the first answer\./, ["ttlHours"], { replay: "stored" }],
  [/^A retry within (\d+) h gets the resource as it is then\./, ["ttlHours"], { replay: "reference" }],
  [/ After that: refused with 410, nothing runs\.$/, [], { expired: "reject" }],
  [/ After that: executed again, as new\.$/, [], { expired: "execute" }],
  [/^The worker purges command and answer after (\d+) h, once the operation is settled\.$/, ["bodyTtlHours"], {}],
  [/^The record is kept for (\d+) days at least\.$/, ["metadataTtlDays"], {}],
  [/^Another command under a used key gets (\d+) and nothing runs\.$/, ["mismatchStatus"], {}],
  [
    /^Another client's key is refused as a conflict that names no operation, and nothing runs\.$/,
    [],
    { scope: "operation" },
  ],
  [/^A key belongs to its client: another client may use the same one /, [], { scope: "principal" }],
  [/^A request without a key is refused with 400, and nothing is recorded\.$/, [], { key: "required" }],
  [/^A request without a key runs under a new one that only its answer names: /, [], { key: "optional" }],
  [/^A request with an unknown field is refused, and nothing is recorded\.$/, [], { unknownFields: "reject" }],
  [/^Unknown fields are left out: with or without them it is the same command\.$/, [], { unknownFields: "ignore" }],
  [
    /^A second request while the first is in progress gets 409 with Retry-After of at most (\d+) s\.$/,
    ["inProgressRetryAfter"],
    { inFlight: "conflict" },
  ],
  [
    /^A second request waits up to (\d+) ms for the first answer, then gets 409 with Retry-After of at most (\d+) s\.$/,
    ["waitMs", "inProgressRetryAfter"],
    { inFlight: "wait" },
  ],
  [
    /^A second request while the first is in progress gets 202 and the address of the operation\.$/,
    [],
    { inFlight: "accepted" },
  ],
  [
    /^An owner that is silent for (\d+) s loses the operation; recovery asks the provider before anything else\.$/,
    ["leaseSeconds"],
    PROVIDER,
  ],
  [
    /^An owner that is silent for (\d+) s loses the operation; recovery frees the key: nothing was committed\.$/,
    ["leaseSeconds"],
    { provider: false },
  ],
  [/^A replay has the status and the bytes of the first answer\.$/, [], { replay: "stored" }],
  [/^A replay has the resource of today, marked as such\.$/, [], { replay: "reference" }],
  [/^Business refusals are final: the refusal is the key's answer\.$/, [], { refusals: "binding" }],
  [/^After a business refusal the same key may try again\.$/, [], { refusals: "not_binding" }],
  [
    /^A failure without effect frees the key: at most one success in (\d+) runs\.$/,
    ["maxAttempts"],
    { failures: "retryable" },
  ],
  [/^A failure that no retry can help is final: it is the key's answer\.$/, [], { failures: "strict" }],
  [
    /^Another key may do it to the same payment again, as far as the operation's own rules allow\.$/,
    [],
    { newKey: "again", onceFor: "payment" },
  ],
  [
    /^It is done to the same payment once: after that, and while the first one may still take effect, another key is refused\.$/,
    [],
    { newKey: "once", onceFor: "payment" },
  ],
  [
    /^While the outcome is unknown: 409 with Retry-After (\d+) s, and nothing is sent again\.$/,
    ["unknownRetryAfter"],
    PROVIDER,
  ],
];
const RISKS: readonly Sentence[] = [
  [/^A late retry moves money again: /, [], { expired: "execute", provider: true }],
  [/^A late retry runs again: /, [], { expired: "execute", provider: false }],
  [/^Common SDKs take 202 as final success: /, [], { inFlight: "accepted" }],
  [/^A replay shows today's state, not the first answer: /, [], { replay: "reference" }],
  [/^Set back later, a client whose key stands beside another's /, [], { scope: "principal" }],
  [/^A retry of a lost answer without a key is a second command/, [], { key: "optional" }],
  [/^A second one that is meant is refused as well, /, [], { newKey: "once", onceFor: "payment" }],
  [/^A misspelt field is dropped silently, /, [], { unknownFields: "ignore" }],
];

/** @returns what is said and is not so, or is so and is not said */
function wrong(oracle: readonly Sentence[], said: readonly string[], { policy, provider, onceFor }: Ruled): string[] {
  const strange = said.filter((text) => !oracle.some(([words]) => words.test(text)));
  return [
    ...strange.map((text) => `no predicate: ${text}`),
    ...oracle.flatMap(([words, fields, when]) => {
      const holds = Object.entries(when).every(
        ([field, value]) => ({ ...policy, provider, onceFor })[field as PolicyField] === value,
      );
      const found = said.flatMap((text) => words.exec(text) ?? []);
      if (!holds) return found.length === 0 ? [] : [`not so: ${found[0] ?? ""}`];
      const [, ...figures] = found;
      return String(figures) === String(fields.map((field) => policy[field])) && found.length > 0
        ? []
        : [`${String(words)}: ${found[0] ?? "is not said"}`];
    }),
  ];
}

describe("POLICY-4 every sentence about a policy", () => {
  it("is said exactly where its settings are so, with their figures", () => {
    fc.assert(
      fc.property(policies, fc.boolean(), fc.constantFrom(undefined, "payment"), (policy, provider, onceFor) => {
        const ruled = { policy, provider, onceFor };
        const effects = SETTING_GROUPS.flatMap((group) => effectsOf(group, ruled));
        expect(wrong(EFFECTS, effects, ruled)).toEqual([]);
        const risks = POLICY_FIELDS.flatMap((field) => riskOf(field, ruled) ?? []);
        const short = risks.filter((text) => text.startsWith("Shorter than 24 h: "));
        expect(short).toHaveLength(policy.ttlHours < 24 ? 1 : 0);
        expect(
          wrong(
            RISKS,
            risks.filter((text) => !short.includes(text)),
            ruled,
          ),
        ).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
