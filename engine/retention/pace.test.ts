import { describe, expect, it } from "vitest";
import { createPace, retainShare, type PaceOptions } from "./pace";

function paced(options: PaceOptions = {}): { rests: number[]; rest: (tookMs: number) => Promise<boolean> } {
  const rests: number[] = [];
  const wait = (ms: number): Promise<void> => {
    rests.push(ms);
    return Promise.resolve();
  };
  return { rests, rest: (tookMs) => createPace({ ...options, wait }).rest(tookMs) };
}

describe("pace of retention", () => {
  it("RETENTION-11 rests nine times as long as a batch took, so that retention has a tenth of the time", async () => {
    const { rests, rest } = paced();
    expect(await rest(20)).toBe(true);
    expect(await rest(100)).toBe(true);
    expect(rests).toEqual([180, 900]);
  });

  it("RETENTION-11 has half of the time once it has been behind for an hour", async () => {
    expect([0, 3_599_999, 3_600_000].map(retainShare)).toEqual([0.1, 0.1, 0.5]);
    const { rests, rest } = paced({ share: retainShare(3_600_000) });
    await rest(100);
    expect(rests).toEqual([100]);
  });

  it("rests two seconds at the most", async () => {
    const { rests, rest } = paced();
    await rest(60_000);
    expect(rests).toEqual([2_000]);
  });

  it("never rests with the whole of the time", async () => {
    const { rests, rest } = paced({ share: 1 });
    expect(await rest(100)).toBe(true);
    expect(rests).toEqual([]);
  });

  it("says stop without a rest once its time is over", async () => {
    const { rests, rest } = paced({ mostMs: 0 });
    expect(await rest(100)).toBe(false);
    expect(rests).toEqual([]);
    expect([createPace({ mostMs: 0 }).over(), createPace({ mostMs: 60_000 }).over(), createPace().over()]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("says stop instead of resting when the process ends, and ends a rest that it is in", async () => {
    const { rests, rest } = paced({ signal: AbortSignal.abort() });
    expect(await rest(100)).toBe(false);
    expect(rests).toEqual([]);
    const ending = new AbortController();
    const resting = createPace({ signal: ending.signal }).rest(500);
    ending.abort();
    expect(await resting).toBe(false);
  });
});
