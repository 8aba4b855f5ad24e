import { describe, expect, it } from "vitest";
import { createLink, LinkDownError, prepare, type BrokerLine } from "./link";

interface TestLine extends BrokerLine<number> {
  lose(): void;
  readonly closed: { count: number };
}

function testLine(value: number): TestLine {
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const closed = { count: 0 };
  const close = (): Promise<void> => {
    closed.count += 1;
    lose();
    return Promise.resolve();
  };
  return { value, lost, close, lose: () => lose(), closed };
}

/** Settles after everything that is due has run. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a link", () => {
  it("dials once for all who ask at the same time, and again after the line was lost", async () => {
    const lines: TestLine[] = [];
    const link = createLink(() => {
      const line = testLine(lines.length);
      lines.push(line);
      return Promise.resolve(line);
    });
    const first = await Promise.all([link.line(100), link.line(100), link.line(100)]);
    expect(first.map(({ value }) => value)).toEqual([0, 0, 0]);
    lines[0]?.lose();
    await turns();
    expect((await link.line(100)).value).toBe(1);
    await link.close();
    expect(lines.map(({ closed }) => closed.count)).toEqual([0, 1]);
    await expect(link.line(100)).rejects.toThrow("The transport is closed");
  });

  it("after a failure nobody knocks again before the rest is over; then it dials anew", async () => {
    let dials = 0;
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:4222"), { code: "ECONNREFUSED" });
    const failing = (restMs: number) =>
      createLink<number>(() => {
        dials += 1;
        return Promise.reject(refused);
      }, restMs);
    const resting = failing(60_000);
    for (let ask = 0; ask < 3; ask += 1) {
      const result: unknown = await resting.line(100).catch((error: unknown) => error);
      expect(result).toBeInstanceOf(LinkDownError);
      // Never an address: the reason stands on a page.
      expect((result as Error).message).toBe("ECONNREFUSED");
    }
    expect(dials).toBe(1);
    const restless = failing(0);
    for (let ask = 0; ask < 3; ask += 1) await restless.line(100).catch(() => undefined);
    expect(dials).toBe(4);
  });

  it("keeps nobody waiting longer than they said", async () => {
    const link = createLink<number>(() => new Promise(() => undefined));
    await expect(link.line(10)).rejects.toThrow("no answer in time");
  });
});

describe("what a new line needs", () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it("ends when the line is lost, though the client never says so, and gives the line back", async () => {
    const line = testLine(1);
    const preparing = prepare(line, never);
    line.lose();
    await expect(preparing).rejects.toThrow("the connection was lost");
    expect(line.closed.count).toBe(1);
  });

  it("ends when it takes too long, and when it fails", async () => {
    const slow = testLine(1);
    await expect(prepare(slow, never, 10)).rejects.toThrow("no answer in time");
    const broken = testLine(2);
    await expect(prepare(broken, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect([slow.closed.count, broken.closed.count]).toEqual([1, 1]);
  });

  it("leaves a line that is ready open", async () => {
    const line = testLine(1);
    expect(await prepare(line, () => Promise.resolve("ready"))).toBe("ready");
    expect(line.closed.count).toBe(0);
  });
});
