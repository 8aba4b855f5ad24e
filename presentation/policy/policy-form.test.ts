import { describe, expect, it } from "vitest";
import {
  changedFields,
  DEFAULT_POLICY,
  layerPolicy,
  type OperationPolicy,
  parseOverrides,
  policyBounds,
  POLICY_FIELDS,
  policyFindings,
} from "@/domain/idempotency/policy";
import { effectsOf, riskOf } from "./policy-claims";
import { carryOver, settingsInWords, SETTING_GROUPS, SETTINGS, shownSetting } from "./policy-words";

const PROVIDER_TIMEOUT_MS = 10_000;
const ruled = (decided: Partial<OperationPolicy> = {}) => ({
  policy: { ...DEFAULT_POLICY, ...decided },
  provider: true,
  onceFor: "payment",
});

describe("what somebody may decide (POLICY-3)", () => {
  const numbers = POLICY_FIELDS.flatMap((field) => {
    const bounds = policyBounds(field);
    return bounds === undefined ? [] : [[field, ...bounds] as const];
  });
  it.each(numbers)("%s has two ends, both allowed, and nothing beyond", (field, least, most) => {
    for (const value of [least, most]) expect(parseOverrides({ [field]: value })).toMatchObject({ ok: true });
    for (const value of [least - 1, most + 1, least + 0.5, String(least), null, Number.NaN]) {
      expect(parseOverrides({ [field]: value })).toEqual({
        ok: false,
        findings: [{ path: field, message: `must be a whole number from ${String(least)} to ${String(most)}` }],
      });
    }
  });

  it.each([
    ["inFlight", "later"],
    ["failures", true],
    ["refusals", "BINDING"],
    ["replay", ""],
    ["expired", "accept"],
    ["unknownFields", null],
    ["mismatchStatus", 400],
    ["mismatchStatus", "409"],
  ])("%s is not %j", (field, value) => {
    const parsed = parseOverrides({ [field]: value });
    expect(parsed).toMatchObject({ ok: false, findings: [{ path: field }] });
  });

  it("is no other thing, by its name", () => {
    expect(parseOverrides({ ttlHours: 48, ttl: 1, __proto__x: 2 })).toEqual({
      ok: false,
      findings: [
        { path: "ttl", message: "is not a setting of a policy" },
        { path: "__proto__x", message: "is not a setting of a policy" },
      ],
    });
    for (const value of [undefined, null, [], "x", 1]) expect(parseOverrides(value).ok).toBe(false);
  });

  it("is the same text in whatever order it was said", () => {
    const one = parseOverrides({ waitMs: 500, ttlHours: 48, replay: undefined });
    const other = parseOverrides({ ttlHours: 48, waitMs: 500 });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it("has every setting of a policy", () => {
    const all = parseOverrides(DEFAULT_POLICY);
    expect(all).toEqual({ ok: true, overrides: DEFAULT_POLICY });
  });
});

describe("contradictions stand at the field that they are about", () => {
  it.each<[Partial<OperationPolicy>, string]>([
    [{ leaseSeconds: 10 }, "leaseSeconds"],
    [{ bodyTtlHours: 49, metadataTtlDays: 2 }, "bodyTtlHours"],
    [{ bodyTtlHours: 23 }, "bodyTtlHours"],
    [{ failures: "strict", refusals: "not_binding" }, "refusals"],
  ])("%j", (decided, field) => {
    const found = policyFindings({ ...DEFAULT_POLICY, ...decided }, PROVIDER_TIMEOUT_MS);
    expect(found.map(({ path }) => path)).toEqual([field]);
  });

  it("none in the default", () => {
    expect(policyFindings(DEFAULT_POLICY, PROVIDER_TIMEOUT_MS)).toEqual([]);
  });
});

describe("layers", () => {
  it("win in their order, and each value says whose it is", () => {
    const { policy, from } = layerPolicy({
      environment: { ttlHours: 48, leaseSeconds: 60, mismatchStatus: undefined },
      operation: { leaseSeconds: 90, maxAttempts: 3 },
      tenant: { maxAttempts: 5 },
    });
    expect(policy).toEqual({ ...DEFAULT_POLICY, ttlHours: 48, leaseSeconds: 90, maxAttempts: 5 });
    expect(from).toMatchObject({
      ttlHours: "environment",
      leaseSeconds: "operation",
      maxAttempts: "tenant",
      mismatchStatus: "default",
    });
    expect(Object.keys(from).sort()).toEqual([...POLICY_FIELDS].sort());
  });

  it("tell what differs, also what was taken back", () => {
    expect(changedFields({ ttlHours: 48, waitMs: 500 }, { ttlHours: 48, replay: "reference" })).toEqual([
      "waitMs",
      "replay",
    ]);
  });
});

describe("a policy in words", () => {
  const [windows] = SETTING_GROUPS;
  if (windows === undefined) throw new Error("no groups");

  it("has words for every setting, in one group each", () => {
    expect(SETTING_GROUPS.flatMap(({ fields }) => fields).sort()).toEqual([...POLICY_FIELDS].sort());
    for (const field of POLICY_FIELDS) expect(shownSetting(field, DEFAULT_POLICY[field])).toMatch(/\S/);
    for (const [field, { choices }] of Object.entries(SETTINGS)) {
      for (const choice of Object.keys(choices ?? {})) {
        const value = field === "mismatchStatus" ? Number(choice) : choice;
        expect(parseOverrides({ [field]: value }).ok, `${field} ${choice}`).toBe(true);
      }
    }
  });

  it("says what it means for a caller", () => {
    expect(effectsOf(windows, ruled())[0]).toBe(
      "A retry within 24 h gets the first answer. After that: refused with 410, nothing runs.",
    );
    expect(effectsOf(windows, ruled({ ttlHours: 48, expired: "execute" }))[0]).toBe(
      "A retry within 48 h gets the first answer. After that: executed again, as new.",
    );
  });

  it("says what becomes of older keys", () => {
    expect(carryOver(DEFAULT_POLICY, DEFAULT_POLICY)).toEqual([]);
    expect(carryOver(DEFAULT_POLICY, { ...DEFAULT_POLICY, ttlHours: 48 })).toEqual([
      "Claimed keys keep the window and retention that were stored with them.",
    ]);
    expect(carryOver(DEFAULT_POLICY, { ...DEFAULT_POLICY, expired: "execute" })[0]).toContain("whose window is over");
    expect(carryOver(DEFAULT_POLICY, { ...DEFAULT_POLICY, bodyTtlHours: 24 })[0]).toContain("410");
    expect(carryOver(DEFAULT_POLICY, { ...DEFAULT_POLICY, bodyTtlHours: 96 })).toEqual([]);
    for (const field of POLICY_FIELDS.filter((each) => each !== "bodyTtlHours")) {
      const other = { ...DEFAULT_POLICY, [field]: "other" };
      expect(carryOver(DEFAULT_POLICY, other), field).toHaveLength(1);
    }
  });

  it("puts words in place of names", () => {
    expect(settingsInWords("bodyTtlHours must not be shorter than ttlHours: a replay, ofNobody")).toBe(
      "“Bodies are kept” must not be shorter than “Key window”: a replay, ofNobody",
    );
  });

  it("warns where a choice is risky, and only there", () => {
    for (const field of POLICY_FIELDS) expect(riskOf(field, ruled())).toBeUndefined();
    expect(riskOf("expired", ruled({ expired: "execute" }))).toContain("moves money again");
    expect(riskOf("inFlight", ruled({ inFlight: "accepted" }))).toContain("202");
    expect(riskOf("replay", ruled({ replay: "reference" }))).toContain("today's state");
  });
});
