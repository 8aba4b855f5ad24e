import { describe, expect, it } from "vitest";
import { OutOfTimeError, withDeadline } from "../deadline";
import { TurnBatch, type BatchLimits } from "./turn-batch";

const LIMITS: BatchLimits = { rows: 8, bytes: 1_000, atOnce: 1, countsMs: 60_000, waiting: 100 };

/** What was sent, and a batch that answers each member with itself, in capitals. */
function recording(
  limits: Partial<BatchLimits> = {},
  many: (members: readonly string[]) => Promise<void> = () => Promise.resolve(),
) {
  const sent: string[][] = [];
  const alone: string[] = [];
  const batch = new TurnBatch<string, string>({
    limits: { ...LIMITS, ...limits },
    bytesOf: (member) => member.length,
    groupOf: (member) => member.slice(0, 1),
    one(member) {
      alone.push(member);
      return member === "bad" ? Promise.reject(new Error("bad")) : Promise.resolve(member.toUpperCase());
    },
    async many(members) {
      sent.push([...members]);
      await many(members);
      return members.map((member) => member.toUpperCase());
    },
  });
  return { batch, sent, alone };
}

const refused = (): Promise<never> => Promise.reject(Object.assign(new Error("refused"), { code: "22023" }));

describe("TOGETHER-4 requests of the same turn", () => {
  it("share one statement, and each gets its own verdict", async () => {
    const { batch, sent, alone } = recording();
    expect(await Promise.all(["a", "b", "c"].map((each) => batch.submit(each)))).toEqual(["A", "B", "C"]);
    expect([sent, alone]).toEqual([[["a", "b", "c"]], []]);
  });

  it("a lone one goes as it would without batches", async () => {
    const { batch, sent, alone } = recording();
    expect(await batch.submit("a")).toBe("A");
    expect([sent, alone]).toEqual([[], ["a"]]);
  });

  it("what comes while as many statements as may are under way gathers for the next", async () => {
    let release: (() => void) | undefined;
    const { batch, sent } = recording({}, () => new Promise((resolve) => (release = resolve)));
    const first = Promise.all([batch.submit("a1"), batch.submit("a2")]);
    await expect.poll(() => sent.length).toBe(1);
    const later: Promise<string>[] = [];
    for (const each of ["b1", "b2", "b3"]) {
      later.push(batch.submit(each));
      await new Promise(setImmediate);
    }
    expect(sent).toHaveLength(1);
    release?.();
    await first;
    await expect.poll(() => sent.length).toBe(2);
    release?.();
    expect(await Promise.all(later)).toEqual(["B1", "B2", "B3"]);
    expect(sent[1]).toEqual(["b1", "b2", "b3"]);
  });
});

describe("TOGETHER-4 bounds of a batch", () => {
  it("rows and bytes", async () => {
    const rows = recording({ rows: 2 });
    await Promise.all(["a", "b", "c", "d"].map((each) => rows.batch.submit(each)));
    expect(rows.sent).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    const bytes = recording({ bytes: 10 });
    await Promise.all(["aaaa", "bbbb", "cccc", "dddddddddddd"].map((each) => bytes.batch.submit(each)));
    expect([bytes.sent, bytes.alone]).toEqual([[["aaaa", "bbbb"]], ["dddddddddddd", "cccc"]]);
  });

  it("groups take turns: one that fills the queue does not keep another out of the next batch", async () => {
    const { batch, sent } = recording({ rows: 4 });
    const many = Array.from({ length: 20 }, (_, index) => batch.submit(`a${String(index)}`));
    await Promise.all([...many, batch.submit("b0")]);
    expect(sent[0]).toEqual(["a0", "b0", "a1", "a2"]);
  });

  it("a statement that is not answered holds nobody else back for long", async () => {
    const { batch, sent } = recording({ countsMs: 5 }, (members) =>
      members.includes("a") ? new Promise(() => undefined) : Promise.resolve(),
    );
    void batch.submit("a");
    void batch.submit("b");
    await expect.poll(() => sent.length).toBe(1);
    expect(await Promise.all([batch.submit("c"), batch.submit("d")])).toEqual(["C", "D"]);
  });

  it("whoever finds the queue full goes alone", async () => {
    const { batch, alone } = recording({ waiting: 2 });
    expect(await Promise.all(["a", "b", "c"].map((each) => batch.submit(each)))).toEqual(["A", "B", "C"]);
    expect(alone).toEqual(["c"]);
  });
});

describe("a batch that fails", () => {
  it("TOGETHER-2 is undone when the database refused it: each member goes alone, once", async () => {
    const { batch, sent, alone } = recording({}, refused);
    const ends = await Promise.allSettled(["a", "bad", "c"].map((each) => batch.submit(each)));
    expect(ends.map((end) => (end.status === "fulfilled" ? end.value : String(end.reason)))).toEqual([
      "A",
      "Error: bad",
      "C",
    ]);
    expect([sent.length, alone]).toEqual([1, ["a", "bad", "c"]]);
  });

  it("TOGETHER-3 is repeated for nobody when its connection failed: nobody knows whether it was committed", async () => {
    const lost = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const { batch, alone } = recording({}, () => Promise.reject(lost));
    const ends = await Promise.allSettled(["a", "b"].map((each) => batch.submit(each)));
    expect(ends).toEqual([lost, lost].map((reason) => ({ status: "rejected", reason })));
    expect(alone).toEqual([]);
  });

  it("answers nobody when it was answered for another number of members", async () => {
    const batch = new TurnBatch<string, string>({
      limits: LIMITS,
      bytesOf: () => 1,
      groupOf: () => "",
      one: (member) => Promise.resolve(member),
      many: () => Promise.resolve(["only one"]),
    });
    const ends = await Promise.allSettled([batch.submit("a"), batch.submit("b")]);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("callers whose time is over", () => {
  it("are told so and never sent, while their neighbours are", async () => {
    let release: (() => void) | undefined;
    const { batch, sent } = recording({}, () => new Promise((resolve) => (release = resolve)));
    const first = [batch.submit("a"), batch.submit("b")];
    await expect.poll(() => sent.length).toBe(1);
    const late = withDeadline(performance.now() + 1, () => batch.submit("late"));
    const patient = [batch.submit("c"), batch.submit("d")];
    await expect(late).rejects.toMatchObject({ what: "not_started" });
    release?.();
    await Promise.all(first);
    await expect.poll(() => sent.length).toBe(2);
    release?.();
    await Promise.all(patient);
    expect(sent).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("are told that nobody knows once their statement was sent, which goes on for the others", async () => {
    let release: (() => void) | undefined;
    const { batch } = recording({}, () => new Promise((resolve) => (release = resolve)));
    const patient = batch.submit("a");
    const late = withDeadline(performance.now() + 50, () => batch.submit("b"));
    const error: unknown = await late.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutOfTimeError);
    expect(error).toMatchObject({ what: "unanswered" });
    release?.();
    expect(await patient).toBe("A");
  });
});
