import { afterAll, beforeAll, expect, test } from "vitest";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { examineAttachment } from "./attachment";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(CAP_TABLES);
});

afterAll(() => database.drop());

test("without an address there is nothing to say", async () => {
  expect(await examineAttachment({})).toEqual([]);
});

test("what is wrong comes with what mends it, and goes when it was mended", async () => {
  const env = { ATTACH_URL: database.url };
  expect(await examineAttachment(env)).toMatchObject([{ state: "wrong" }]);
  await database.install(cap, { time_zone: "UTC" });
  await database.run(`revoke execute on function onceboard_attach.discard(text) from ${database.role}`);
  const [finding] = (await examineAttachment(env)).filter(({ state }) => state === "wrong");
  expect(finding?.text).toMatch(/^Attachment: .* may not execute discard, .* Mend: grant execute on all functions/);
  await database.run(finding?.text.split("Mend: ")[1] ?? "");
  expect((await examineAttachment(env)).map(({ state }) => state)).not.toContain("wrong");
});

test("a database that does not answer is one line, without its password", async () => {
  const [finding] = await examineAttachment({ ATTACH_URL: "postgres://nobody:secret-of-theirs@127.0.0.1:1/none" });
  expect(finding?.text).toContain("The database cannot be reached");
  expect(finding?.text).not.toContain("secret-of-theirs");
});
