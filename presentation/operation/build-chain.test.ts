import { describe, expect, it } from "vitest";
import { buildChain } from "./build-chain";
import { buildTimeline } from "./build-timeline";
import { allowedActions } from "./allowed-actions";
import { gatherEvidence } from "./evidence";
import { buildMiniChain } from "./mini-chain";
import { sampleKind } from "@/tests/support/payment-kinds";
import { answerRow, call, outboxRowSample, record } from "../testing/record";

const glyphs = (parts: Parameters<typeof record>[0]) =>
  buildChain(record(parts)).stations.map((station) => station.glyph);

describe("OPERATION-2 the chain", () => {
  it("always has six stations, each with a sentence", () => {
    for (const state of [
      "IN_PROGRESS",
      "STALE",
      "COMPLETED",
      "FAILED_REPLAYABLE",
      "FAILED_RETRYABLE",
      "UNKNOWN_REQUIRES_RECOVERY",
      "EXPIRED",
    ] as const) {
      for (const provider of [[], [call({ state: "prepared", sentAt: undefined, answeredAt: undefined })], [call()]]) {
        const { stations } = buildChain(record({ state, provider }));
        expect(stations.map((station) => station.name)).toEqual([
          "Key",
          "Operation",
          "Provider",
          "Outbox",
          "Inbox",
          "Ledger",
        ]);
        expect(stations.every((station) => station.spoken.startsWith(`${station.name}: `))).toBe(true);
      }
    }
  });
  it("has a gap after the send while nobody knows", () => {
    const { gap, stations } = buildChain(
      record({ state: "UNKNOWN_REQUIRES_RECOVERY", provider: [call({ outcome: "indefinite" })] }),
    );
    expect(gap).toMatchObject({ after: 2, tone: "doubt" });
    expect(stations[2]).toMatchObject({ glyph: "unknown", way: { kind: "doubt", duration: "41 min 10 s" } });
    expect(stations.slice(3).every((station) => station.presence === "off")).toBe(true);
  });
  it("has a gap after a dead outbox, and one where its row is missing", () => {
    expect(buildChain(record({ provider: [call()], outbox: [outboxRowSample("dead", 12)] })).gap).toMatchObject({
      after: 3,
      tone: "broken",
    });
    expect(buildChain(record({ provider: [call()] })).gap).toMatchObject({ after: 2, tone: "broken" });
  });
  it("has none while things move, and none on the local path", () => {
    expect(
      buildChain(record({ state: "IN_PROGRESS", provider: [call({ state: "sent", answeredAt: undefined })] })).gap,
    ).toBeUndefined();
    const local = buildChain(record({ operation: "accounts.create" }));
    expect(local.gap).toBeUndefined();
    expect(local.stations.slice(2).every((station) => station.presence === "absent")).toBe(true);
  });
  it("ends in the refusal", () => {
    expect(
      glyphs({ state: "FAILED_REPLAYABLE", responseStatus: 402, provider: [call({ outcome: "declined" })] })[2],
    ).toBe("FAILED_REPLAYABLE");
    expect(glyphs({ state: "FAILED_REPLAYABLE", responseStatus: 409 })[1]).toBe("FAILED_REPLAYABLE");
  });
  it("shows what waits", () => {
    expect(glyphs({ provider: [call({ outcome: "succeeded" })], outbox: [outboxRowSample("pending")] })).toEqual([
      "executed",
      "executed",
      "executed",
      "pending",
      "empty",
      "empty",
    ]);
  });
});

describe("the mini chain", () => {
  const none = { pending: 0, dead: 0, published: 0 };
  const inbox = { recorded: 0, processed: 0, dead: 0 };
  it("runs through the provider on the local path", () => {
    expect(
      buildMiniChain({
        about: sampleKind("accounts.create"),
        state: "COMPLETED",
        responseStatus: 201,
        outbox: none,
        inbox,
        ledger: 0,
      }),
    ).toEqual(["done", "done", "unused", "unused", "unused", "unused"]);
  });
  it("shows a message on its way and one that died", () => {
    const base = {
      about: sampleKind("payments.create"),
      state: "COMPLETED",
      responseStatus: 201,
      provider: "answered",
      word: "succeeded",
      inbox,
      ledger: 0,
    } as const;
    expect(buildMiniChain({ ...base, outbox: { ...none, pending: 1 } })).toEqual([
      "done",
      "done",
      "done",
      "moving",
      "waiting",
      "waiting",
    ]);
    expect(buildMiniChain({ ...base, outbox: { ...none, published: 1 }, inbox: { ...inbox, dead: 1 } })).toEqual([
      "done",
      "done",
      "done",
      "done",
      "dead",
      "missing",
    ]);
    expect(buildMiniChain({ ...base, outbox: none })).toEqual([
      "done",
      "done",
      "done",
      "missing",
      "missing",
      "missing",
    ]);
  });
});

describe("TRUTH-3 the provider's mark in the mini chain", () => {
  const base = {
    about: sampleKind("payments.create"),
    outbox: { pending: 0, dead: 0, published: 1 },
    provider: "answered",
  } as const;
  const rest = { inbox: { recorded: 0, processed: 1, dead: 0 }, ledger: 1 } as const;
  it("is whole only where the provider's word is recorded", () => {
    const completed = { ...base, ...rest, state: "COMPLETED", responseStatus: 201 } as const;
    expect(buildMiniChain({ ...completed, word: "succeeded" })[2]).toBe("done");
    expect(buildMiniChain({ ...completed, answer: "indefinite" })[2]).toBe("unconfirmed");
  });
  it("is a refusal only where the provider declined, and none where an earlier attempt had no effect", () => {
    const refused = { ...base, ...rest, state: "FAILED_REPLAYABLE", responseStatus: 402 } as const;
    expect(buildMiniChain({ ...refused, word: "declined" })[2]).toBe("refused");
    expect(buildMiniChain({ ...refused, answer: "indefinite" })[2]).toBe("unconfirmed");
    expect(buildMiniChain({ ...refused, answer: "no_effect" }).slice(1, 3)).toEqual(["refused", "not_due"]);
  });
});

describe("evidence and actions", () => {
  const webhook = {
    inboxId: "i1",
    messageId: "evt_1",
    providerKey: "provider_payment_p1",
    type: "charge.succeeded",
    state: "recorded",
    at: "2026-11-19T14:06:31.000000Z",
    says: "succeeded",
    minor: "1248000",
    currency: "EUR",
  } as const;
  const lookUp = call({ id: "c2", kind: "lookup", outcome: "processing" });
  const doubt = record({
    state: "UNKNOWN_REQUIRES_RECOVERY",
    provider: [call({ outcome: "indefinite" }), lookUp],
    webhooks: [webhook],
  });

  it("leans to what a final source says", () => {
    expect(gatherEvidence(doubt)).toMatchObject({
      leans: "succeeded",
      sentence: "Leans to succeeded. One final source says so, one is not final, none says otherwise.",
    });
  });
  it("calls another amount a contradiction", () => {
    expect(gatherEvidence({ ...doubt, webhooks: [{ ...webhook, minor: "1" }] })).toMatchObject({
      leans: "contradiction",
    });
  });
  it("RECOVERY-9 takes no decline of an earlier attempt, under another provider key, for a word about this one", () => {
    const again = call({ id: "c3", providerKey: "provider_payment_p1_2", outcome: "indefinite" });
    const declined = call({ id: "c2", kind: "lookup", outcome: "declined" });
    const second = {
      ...doubt,
      provider: [call({ outcome: "indefinite" }), declined, again],
      webhooks: [{ ...webhook, says: "failed" as const }],
    };
    expect(gatherEvidence(second)?.leans).toBe("nothing");
    const actions = new Map(allowedActions(second, "admin").map((action) => [action.action, action]));
    expect(actions.get("resolve_succeeded")?.allowed).toBe(true);
    const succeeded = { ...second, webhooks: [webhook] };
    expect(allowedActions(succeeded, "admin").find(({ action }) => action === "resolve_failed")?.allowed).toBe(false);
  });
  it("leans to nothing without a final source, and has none when nothing is in doubt", () => {
    expect(gatherEvidence({ ...doubt, webhooks: [] })?.leans).toBe("nothing");
    expect(gatherEvidence(record())).toBeUndefined();
  });
  it("never offers to send again, nor failed against a signed webhook", () => {
    const actions = new Map(allowedActions(doubt, "admin").map((action) => [action.action, action]));
    expect(actions.get("send_again")?.allowed).toBe(false);
    expect(actions.get("resolve_failed")).toMatchObject({
      allowed: false,
      whyNot: "Not offered: a signed webhook says it succeeded.",
    });
    expect(actions.get("resolve_succeeded")?.allowed).toBe(true);
    expect(actions.get("purge_body")?.whyNot).toBe("Not while unknown: the body is evidence.");
  });
  it("leaves a held lease alone and says until when", () => {
    const held = { ...doubt, lockedUntil: "2026-11-19T14:43:48.000000Z", owner: "worker-2" };
    expect(allowedActions(held, "operator")[0]).toMatchObject({
      action: "reconcile",
      allowed: false,
      whyNot: "worker-2 holds the lease until 14:43:48 UTC.",
    });
  });
  it("lets a viewer look and do nothing", () => {
    expect(allowedActions(doubt, "viewer").some((action) => action.allowed)).toBe(false);
  });
});

describe("the lanes", () => {
  it("lay everything on one axis whose shares add up to 1", () => {
    const rows = buildTimeline(
      record({
        state: "UNKNOWN_REQUIRES_RECOVERY",
        requests: [answerRow("unknown")],
        provider: [call({ outcome: "indefinite" })],
      }),
    );
    expect(rows.stretches.reduce((sum, stretch) => sum + stretch.share, 0)).toBeCloseTo(1);
    expect(rows.lanes.map((timelineRow) => timelineRow.name)).toEqual(["Requests", "Provider"]);
    expect(rows.now).toBe(Date.parse("2026-11-19T14:43:20Z"));
  });
});
