import { describe, expect, it } from "vitest";
import type { BrokerMessage } from "./broker-message";
import { createIntake, INTAKE_BATCH, type Intake } from "./intake";
import type { RecordResult } from "./record-batch";

const message = (answers: string[], name: string): BrokerMessage => ({
  body: Buffer.from(name),
  header: () => undefined,
  accept: () => void answers.push(`accept ${name}`),
  refuse: () => void answers.push(`refuse ${name}`),
  giveBack: () => void answers.push(`back ${name}`),
});

const result = (left: readonly BrokerMessage[] = []): RecordResult => ({
  recorded: 0,
  duplicate: 0,
  mismatch: 0,
  refused: 0,
  left,
});

/** An intake whose batches end when the test says so. */
function held(): { readonly intake: Intake; readonly batches: number[]; readonly release: () => Promise<void> } {
  const batches: number[] = [];
  const waiting: (() => void)[] = [];
  const intake = createIntake({
    record: async (messages) => {
      batches.push(messages.length);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return result();
    },
    onBatch: () => undefined,
    signal: new AbortController().signal,
  });
  return {
    intake,
    batches,
    async release() {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("intake", () => {
  it("takes together what came meanwhile, one batch after the other, and holds the giver up when it is full", async () => {
    const { intake, batches, release } = held();
    const given = Array.from({ length: INTAKE_BATCH + 1 }, (_, index) => intake.give(message([], String(index))));
    expect(batches).toEqual([1]);
    const full = given.at(-1);
    expect(await Promise.race([full?.then(() => "room"), Promise.resolve("full")])).toBe("full");
    await release();
    expect(batches).toEqual([1, INTAKE_BATCH]);
    await release();
    await Promise.all(given);
    await intake.drained();
    void intake.give(message([], "later"));
    expect(batches).toEqual([1, INTAKE_BATCH, 1]);
  });

  it("gives back what could not be recorded and what waits behind it, after a pause, and forgets the trouble", async () => {
    const answers: string[] = [];
    let trouble = true;
    const intake = createIntake({
      record: (messages) => {
        if (!trouble) messages.forEach((each) => each.accept());
        return Promise.resolve(result(trouble ? messages : []));
      },
      onBatch: () => undefined,
      signal: new AbortController().signal,
      backoff: { baseMs: 2, capMs: 2 },
    });
    void intake.give(message(answers, "a"));
    void intake.give(message(answers, "b"));
    await intake.drained();
    expect(answers).toEqual(["back a", "back b"]);
    trouble = false;
    void intake.give(message(answers, "a"));
    await intake.drained();
    expect(answers.at(-1)).toBe("accept a");
  });

  it("waits for no pause once the process stops", async () => {
    const stopping = new AbortController();
    const answers: string[] = [];
    const intake = createIntake({
      record: (messages) => Promise.resolve(result(messages)),
      onBatch: () => stopping.abort(),
      signal: stopping.signal,
      backoff: { baseMs: 3_600_000, capMs: 3_600_000 },
    });
    void intake.give(message(answers, "a"));
    await intake.drained();
    expect(answers).toEqual(["back a"]);
  });
});
