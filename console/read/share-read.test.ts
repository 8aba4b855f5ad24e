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
