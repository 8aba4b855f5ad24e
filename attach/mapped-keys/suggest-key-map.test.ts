import { describe, expect, test } from "vitest";
import type { FoundTable } from "../contract/tables";
import { keyMap } from "./key-map";
import { keyMapProblem } from "./mapped-columns";
import { mappedKeysPreset } from "./mapped-keys";
import { suggestKeyMap } from "./suggest-key-map";

const table = (name: string, columns: Readonly<Record<string, string>>): FoundTable => ({
  schema: "app",
  name,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
});

const TIME = "timestamp with time zone";

describe("tables that are none of keys", () => {
  test.each([
    [
      "a payment with a key of its own",
      "payments",
      { id: "bigint", idempotency_key: "text", status: "text", amount: "numeric", created_at: TIME },
    ],
    ["settings", "settings", { key: "text", value: "text", updated_at: TIME }],
    ["a queue", "jobs", { id: "bigint", request_id: "uuid", status: "text", attempts: "integer", locked_at: TIME }],
    ["a key and nothing else", "idempotency_keys", { key: "text", created_at: TIME }],
    ["no key", "idempotency_log", { id: "bigint", response: "jsonb", request_hash: "text" }],
    ["a name that the functions use", "idempotency_keys", { key: "text", response: "jsonb", row_key: "text" }],
  ])("%s", (_, name, columns: Record<string, string>) => {
    expect(suggestKeyMap(table(name, columns))).toBeUndefined();
  });
});

describe("columns with two meanings", () => {
  test("an integer that is called status is the status of the response", () => {
    const { map } = suggestKeyMap(table("idempotency", { key: "text", status: "integer", response: "text" })) ?? {};
    expect(map).toMatchObject({ httpStatus: "status", inFlight: "no_row" });
    expect(map?.status).toBeUndefined();
  });

  test("a status of a type of its own is the state", () => {
    const { map } =
      suggestKeyMap(table("idempotency", { key: "text", status: "app.key_state", response: "text" })) ?? {};
    expect(map).toMatchObject({ status: "status", inFlight: "status" });
  });

  test("a digest is a key that is hashed", () => {
    const { map } =
      suggestKeyMap(table("idempotency", { digest: "character varying(64)", response_body: "text" })) ?? {};
    expect(map).toMatchObject({ key: "digest", keyIsHashed: true, id: ["digest"] });
  });
});

describe("a map that does not fit", () => {
  const found = table("k", { key: "text", Key: "text", at: "text", response: "text", code: "text", amount: "numeric" });
  test.each([
    [{ key: "response", id: ["response"], created: "at" }, "at of app.k is text, and no time."],
    [{ key: "response", id: ["response"], httpStatus: "code" }, "code of app.k is text, and no number."],
    [{ key: "response", id: ["nothing"] }, "app.k has no column nothing."],
    [{ key: "key", id: ["key"] }, "app.k has two columns that are called key but for case and underscores."],
    [{ key: "amount", id: ["amount"] }, "amount of app.k is numeric, which names no row."],
  ])("%j", (map, sentence) => {
    const parsed = keyMap.parse({ inFlight: "no_row", ...map });
    expect(keyMapProblem(parsed, found)).toBe(sentence);
    expect(() => mappedKeysPreset(parsed, found)).toThrow(sentence);
  });

  test.each([
    [{ inFlight: "status" }],
    [{ inFlight: "no_response" }],
    [{ inFlight: "status", status: "s", states: { in_progress: ["x"], done: ["X"], failed: [] } }],
    [{ inFlight: "no_row", id: [] }],
  ])("%j is no map", (map) => {
    expect(keyMap.safeParse({ key: "k", id: ["k"], ...map }).success).toBe(false);
  });
});
