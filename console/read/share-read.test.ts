import { expect, test } from "vitest";
import { createReadShare } from "./share-read";

const place = {};

function counted() {
  let reads = 0;
  return { read: () => Promise.resolve((reads += 1)), count: () => reads };
}

test("whoever asks within the time gets the answer of the first, and after it a new one", async () => {
  let clock = 0;
  const share = createReadShare(1_000, () => clock);
  const { read } = counted();
  expect(await Promise.all([share.of(place, "a", read), share.of(place, "a", read)])).toEqual([1, 1]);
  clock = 999;
  expect(await share.of(place, "a", read)).toBe(1);
  clock = 1_000;
  expect(await share.of(place, "a", read)).toBe(2);
});

test("what is dear serves for longer, from its end on, and is under way once", async () => {
  let clock = 0;
  const share = createReadShare(0, () => clock);
  const ends: ((rows: number) => void)[] = [];
  const count = () => new Promise<number>((resolve) => ends.push(resolve));
  const ask = () => share.of(place, "a", count, (rows) => (rows > 10 ? 5_000 : 0));
  const end = (rows: number): void => {
    clock += 300;
    for (const each of ends) each(rows);
  };
  // Nobody knows yet that it is dear.
  const first = [ask(), ask()];
  expect(ends).toHaveLength(2);
  end(11);
  expect(await Promise.all(first)).toEqual([11, 11]);
  clock += 4_999;
  expect(await ask()).toBe(11);
  clock += 1;
  const second = [ask(), ask()];
  expect(ends).toHaveLength(3);
  clock += 60_000;
  second.push(ask());
  expect(ends).toHaveLength(3);
  end(10);
  expect(await Promise.all(second)).toEqual([10, 10, 10]);
  // It is not dear any more.
  const third = [ask(), ask()];
  expect(ends).toHaveLength(5);
  end(1);
  expect(await Promise.all(third)).toEqual([1, 1]);
});

test("what was dear and fails is asked for again at once", async () => {
  let clock = 0;
  const share = createReadShare(0, () => clock);
  const ask = (read: () => Promise<string>) => share.of(place, "a", read, (text) => (text === "many" ? 1 : 0));
  expect(await ask(() => Promise.resolve("many"))).toBe("many");
  clock = 1;
  await expect(ask(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await ask(() => Promise.resolve("back"))).toBe("back");
});

test("another key and another place have answers of their own", async () => {
  const share = createReadShare(1_000);
  const { read } = counted();
  expect([await share.of(place, "a", read), await share.of(place, "b", read), await share.of({}, "a", read)]).toEqual([
    1, 2, 3,
  ]);
});

test("an error is kept for nobody", async () => {
  const share = createReadShare(60_000);
  const failing = () => Promise.reject(new Error("away"));
  await expect(share.of(place, "a", failing)).rejects.toThrow("away");
  expect(await share.of(place, "a", () => Promise.resolve("back"))).toBe("back");
});

test("it keeps a limited number of answers", async () => {
  const share = createReadShare(60_000);
  const { read, count } = counted();
  for (let key = 0; key < 501; key += 1) await share.of(place, String(key), read);
  await share.of(place, "500", read);
  await share.of(place, "0", read);
  expect(count()).toBe(502);
});
