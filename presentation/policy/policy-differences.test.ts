import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY, POLICY_FIELDS, type OperationPolicy } from "@/domain/idempotency/policy";
import type { OperationPolicyView } from "../views/policies";
import { differingSettings, effectsOfAll, sharedSettings } from "./policy-differences";
import { SETTING_GROUPS } from "./policy-words";

function view(kind: string, provider: boolean, decided: Partial<OperationPolicy> = {}): OperationPolicyView {
  const policy = { ...DEFAULT_POLICY, ...decided };
  return {
    operation: kind,
    kind,
    route: "",
    provider,
    policy,
    inherited: DEFAULT_POLICY,
    overrides: decided,
    version: 0,
    findings: [],
    settings: POLICY_FIELDS.map((field) => ({
      field,
      value: policy[field],
      from: field in decided ? "tenant" : "default",
      inheritedFrom: "default",
    })),
  };
}
const fieldsOf = (views: readonly OperationPolicyView[]) =>
  SETTING_GROUPS.flatMap((group) => sharedSettings(views, group).map(({ field }) => field));

describe("policies side by side", () => {
  it("says everything once where all are alike", () => {
    const views = [view("Payment", true), view("Refund", true)];
    expect(differingSettings(views)).toEqual([]);
    expect(fieldsOf(views).sort()).toEqual([...POLICY_FIELDS].sort());
    expect(SETTING_GROUPS.flatMap((group) => effectsOfAll(views, group)).every(({ only }) => only.length === 0)).toBe(
      true,
    );
  });

  it("puts side by side what differs or was decided here, and nothing twice", () => {
    const views = [view("Payment", true, { ttlHours: 48 }), view("Refund", true)];
    expect(differingSettings(views)).toEqual(["ttlHours"]);
    expect(fieldsOf(views)).not.toContain("ttlHours");
    const alike = [view("Payment", true, { ttlHours: 48 }), view("Refund", true, { ttlHours: 48 })];
    expect(differingSettings(alike)).toEqual(["ttlHours"]);
  });

  it("says each effect once, and for whom where not for all", () => {
    const views = [view("Payment", true), view("Refund", true), view("Account", false)];
    const effects = SETTING_GROUPS.flatMap((group) => effectsOfAll(views, group));
    expect(new Set(effects.map(({ sentence }) => sentence)).size).toBe(effects.length);
    const asks = effects.filter(({ sentence }) => sentence.includes("asks the provider before anything else"));
    expect(asks.map(({ only }) => only)).toEqual([["Payment", "Refund"]]);
    const frees = effects.filter(({ sentence }) => sentence.includes("nothing was committed"));
    expect(frees.map(({ only }) => only)).toEqual([["Account"]]);
  });
});
