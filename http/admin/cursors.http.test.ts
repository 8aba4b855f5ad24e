import { readFileSync } from "node:fs";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCursor } from "@/domain/lists/cursor";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { openTill, type Till } from "../testing/till";

const DOCUMENT = JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/openapi.json"), "utf8")) as {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly { readonly name?: string }[] } }>
  >;
};
/** Every list that goes on by a cursor, as the document has them. */
const PAGED = Object.entries(DOCUMENT.paths).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name }) => name === "cursor") === true ? [path] : [],
);
const named = (path: string): string => path.replace("{id}", randomUUID()).replace("{view}", "dead");
const BAD = [
  "x",
  "%00",
  encodeCursor({ sort: "created:desc", direction: "next", value: "99999-01-01T00:00:00.000000Z", id: randomUUID() }),
  encodeCursor({ sort: "dead", direction: "next", value: "\u0000", id: "\u0000" }),
  encodeCursor({ sort: "position", direction: "next", value: "9".repeat(30), id: "1" }),
];

describe.each(HOSTS)("LIST-2 cursors that are none, on %s", (name) => {
  let host: TestHost;
  let admin: Till;
  beforeAll(async () => {
    host = await openHost(name);
    admin = await openTill(host, ["admin"]);
  });
  afterAll(() => host.close());

  it("knows the lists", () => expect(PAGED.length).toBeGreaterThan(7));

  it.each(PAGED)("%s answers 400", async (path) => {
    const sentence = (await admin.get(`${named(path)}?cursor=x`)).json?.["detail"];
    expect(sentence).toBe(
      "Take it from next or previous of a page of the same list with the same sort, or leave it out to begin.",
    );
    // What is missing is said first: there is no list of it.
    const missing = path.includes("{id}");
    for (const cursor of BAD) {
      const answer = await admin.get(`${named(path)}?cursor=${cursor}`);
      expect([answer.status, answer.json?.["code"]], cursor).toEqual([
        400,
        cursor === "%00" ? "validation.filter" : "validation.cursor",
      ]);
    }
    if (missing) return;
    expect((await admin.get(`${path}?cursor=`)).status).toBe(200);
  });
});
