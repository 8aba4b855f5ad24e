import { describe, expect, it } from "vitest";
import { isLater, whenThere } from "./soon";

describe("what is mostly there already", () => {
  it("goes on at once, and makes no promise", () => {
    expect(whenThere(2, (value) => value + 1)).toBe(3);
    expect(() =>
      whenThere(2, () => {
        throw new Error("its own");
      }),
    ).toThrow("its own");
  });

  it("is waited for where another library made it, as await would", async () => {
    const foreign = { then: (done: (value: number) => unknown) => Promise.resolve(2).then(done) };
    expect(await whenThere(foreign as Promise<number>, (value) => value + 1)).toBe(3);
    expect([isLater(2), isLater({ then: 1 } as object), isLater(Buffer.from("x"))]).toEqual([false, false, false]);
  });

  it("is waited for where it is a promise, and fails as that does", async () => {
    await expect(whenThere(Promise.resolve(2), (value) => value + 1)).resolves.toBe(3);
    await expect(whenThere(Promise.reject<number>(new Error("away")), (value) => value)).rejects.toThrow("away");
  });
});
