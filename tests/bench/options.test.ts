import { expect, test } from "vitest";
import { readBenchOptions } from "./options";

test("sources of peers are named one by one", () => {
  const { peerSources } = readBenchOptions(["--peer-source", "idempot=/a/b", "--peer-source", "hono-idempotency=/c=d"]);
  expect([...peerSources]).toEqual([
    ["idempot", "/a/b"],
    ["hono-idempotency", "/c=d"],
  ]);
  expect(readBenchOptions([]).peerSources.size).toBe(0);
});

test("what is no name with a folder, and what is no number, is said", () => {
  expect(() => readBenchOptions(["--peer-source", "idempot"])).toThrow("--peer-source is no <name>=<folder>: idempot");
  expect(() => readBenchOptions(["--rounds", "none"])).toThrow("--rounds is not a positive number: none");
});
