import { describe, expect, it } from "vitest";
import { operationVerdict } from "./verdict";
import { answerRow, call, NOW, outboxRowSample, record } from "../testing/record";

const ledger = [
  {
    id: "l1",
    entryType: "payment",
    sourceId: "p1",
    debitAccount: "provider",
    creditAccount: "acc_1",
    money: { minor: "4200", amount: "42.00", currency: "EUR", display: "€42.00" },
    postedAt: "2026-11-19T14:02:11.000000Z",
  },
];
const verdictText = (parts: Parameters<typeof record>[0]): string => operationVerdict(record(parts)).text;
const tones = (parts: Parameters<typeof record>[0]): string[] =>
  operationVerdict(record(parts)).clauses.map((clause) => clause.tone);

describe("OPERATION-1 the verdict, in its fixed order", () => {
  it("says a proven execution", () => {
    const requests = [answerRow("executed"), ...Array.from({ length: 6 }, () => answerRow("replayed"))];
    expect(verdictText({ state: "COMPLETED", requests, ledger, outbox: [outboxRowSample("published")] })).toBe(
      "Executed once. Answered 7 times, all byte-equal. Ledger posted.",
    );
  });
  it("says an unknown outcome", () => {
    const requests = [
      answerRow("unknown"),
      answerRow("in_progress"),
      answerRow("in_progress"),
      answerRow("unknown"),
      answerRow("unknown"),
      answerRow("conflict"),
      answerRow("unknown"),
    ];
    const parts = {
      state: "UNKNOWN_REQUIRES_RECOVERY",
      unknownSince: "2026-11-19T14:02:19.000000Z",
      requests,
      provider: [call({ outcome: "indefinite" })],
    } as const;
    expect(verdictText(parts)).toBe(
      "Outcome unknown for 41 minutes. Sent to the provider once. Answered 7 times, never with an outcome. Ledger not posted.",
    );
    expect(tones(parts)).toEqual(["doubt", "fine", "fine", "doubt"]);
  });
  it("says a dead outbox", () => {
    const parts = {
      state: "COMPLETED",
      requests: [answerRow("executed"), answerRow("replayed")],
      outbox: [outboxRowSample("dead", 12)],
    } as const;
    expect(verdictText(parts)).toBe(
      "Executed once. Answered twice, byte-equal. Outbox dead after 12 attempts. Ledger not posted.",
    );
    expect(tones(parts)).toEqual(["fine", "fine", "broken", "broken"]);
  });
  it("says a refusal", () => {
    expect(
      verdictText({ state: "FAILED_REPLAYABLE", responseStatus: 402, provider: [call({ outcome: "declined" })] }),
    ).toBe("Not executed. Refused by the provider, the refusal is final.");
    expect(verdictText({ state: "FAILED_REPLAYABLE", responseStatus: 409 })).toBe(
      "Not executed. Refused before anything was sent, the refusal is final.",
    );
  });
  it("says a double execution before everything else", () => {
    const provider = [
      call({ outcome: "succeeded", reference: "np_1" }),
      call({ outcome: "succeeded", reference: "np_2" }),
    ];
    const parts = { state: "COMPLETED", provider, ledger, outbox: [outboxRowSample("published")] } as const;
    expect(verdictText(parts)).toMatch(/^Executed twice\. Proof failed: 2 effects at the provider, 1 key\./);
    expect(tones(parts).slice(0, 2)).toEqual(["broken", "broken"]);
  });
  it("counts what a look-up names, as the proof does, and nothing twice that has no name yet", () => {
    const other = [
      call({ outcome: "succeeded", reference: "np_1" }),
      call({ kind: "lookup", outcome: "succeeded", reference: "np_2" }),
    ];
    const parts = { state: "COMPLETED", ledger, outbox: [outboxRowSample("published")] } as const;
    expect(verdictText({ ...parts, provider: other })).toMatch(/^Executed twice\./);
    const unnamed = [call({ outcome: "succeeded" }), call({ kind: "lookup", outcome: "succeeded", reference: "np_2" })];
    expect(verdictText({ ...parts, provider: unnamed })).toMatch(/^Executed once\./);
  });
  it("does not call the same object seen twice a double execution", () => {
    const provider = [
      call({ outcome: "indefinite" }),
      call({ kind: "resend", outcome: "succeeded", reference: "np_1" }),
    ];
    expect(verdictText({ state: "COMPLETED", provider, ledger, outbox: [outboxRowSample("published")] })).toBe(
      "Executed once. Sent to the provider twice under one provider key. Ledger posted.",
    );
  });
  it("says that bytes differ", () => {
    expect(
      verdictText({
        state: "COMPLETED",
        requests: [answerRow("executed"), answerRow("replayed", { byteEqual: false })],
        ledger,
        outbox: [outboxRowSample("published")],
      }),
    ).toContain("Answered twice, not byte-equal.");
  });
  it("says another command of a settled key", () => {
    expect(
      verdictText({
        state: "COMPLETED",
        requests: [answerRow("executed"), answerRow("conflict"), answerRow("conflict")],
        ledger,
        outbox: [outboxRowSample("published")],
      }),
    ).toBe("Executed once. Answered once. Another command was refused twice. Ledger posted.");
  });
  it("says a stale lease, before and after the send", () => {
    const lockedUntil = "2026-11-19T14:41:10.000000Z";
    expect(verdictText({ state: "STALE", lockedUntil })).toBe(
      "Its owner has been silent for 2 minutes. Nothing was sent to the provider.",
    );
    expect(verdictText({ state: "STALE", lockedUntil, provider: [call({ state: "sent" })] })).toBe(
      "Its owner has been silent for 2 minutes. Sent to the provider once.",
    );
  });
  it("says what is still on its way without doubt, then with", () => {
    const base = { state: "COMPLETED", outbox: [outboxRowSample("pending")] } as const;
    expect(verdictText({ ...base, completedAt: "2026-11-19T14:43:18.000000Z" })).toBe(
      "Executed once. Ledger not posted yet.",
    );
    expect(verdictText({ ...base, completedAt: "2026-11-19T14:40:00.000000Z" })).toBe(
      "Executed once. Ledger not posted.",
    );
  });
  it("says nothing of messages and ledger on the local path", () => {
    expect(verdictText({ operation: "accounts.create", state: "COMPLETED", requests: [answerRow("executed")] })).toBe(
      "Executed once. Answered once.",
    );
  });
  it("misses the outbox row of an effect", () => {
    expect(verdictText({ state: "COMPLETED" })).toContain("No outbox row.");
  });
  it("says that a key may run again only where claim() lets it: below the runs of its policy, and not of another service", () => {
    const failed = { state: "FAILED_RETRYABLE", maxAttempts: 3 } as const;
    expect(verdictText({ ...failed, attempts: 2 })).toBe("Not executed. The same key may run again.");
    for (const attempts of [3, 4])
      expect(verdictText({ ...failed, attempts })).toBe(
        "Not executed. Its policy lets the key run no more: a retry is refused.",
      );
    expect(verdictText({ ...failed, operation: "invoices.issue", maxAttempts: undefined })).toBe(
      "Not executed. Its own service decides whether the same key runs again.",
    );
    expect(verdictText({ ...failed, attempts: 3, expiresAt: NOW })).toBe("Not executed. The key has expired.");
  });
  it("says of a key that a late retry was executed under that it has a later operation", () => {
    const { operationId, key } = record();
    const setAside = { state: "EXPIRED", responseStatus: 201, ledger } as const;
    expect(verdictText({ ...setAside, key: `${key} (expired ${operationId})` })).toBe(
      "Executed once. The key has expired. It was given to a later operation. Ledger posted.",
    );
    expect(verdictText({ ...setAside, key: `${key} (expired ${operationId}) ` })).not.toContain("later operation");
  });
  it("says the other states", () => {
    expect(verdictText({ state: "IN_PROGRESS", createdAt: "2026-11-19T14:43:17.000000Z" })).toBe(
      "In progress for 3 seconds.",
    );
    expect(verdictText({ state: "FAILED_RETRYABLE", requests: [answerRow("failed")] })).toBe(
      "Not executed. The same key may run again. Answered once.",
    );
    expect(verdictText({ state: "FAILED_RETRYABLE", expiresAt: NOW })).toBe("Not executed. The key has expired.");
    expect(verdictText({ state: "EXPIRED", responseStatus: 201, ledger })).toBe(
      "Executed once. The key has expired. Ledger posted.",
    );
  });
});
