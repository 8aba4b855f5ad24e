import { expect, test } from "vitest";
import { shellBlocksOf, fileOf, packagesOf, readPage } from "./adopt-page";

test("each way in has its commands and files, and nothing of the page is left out", () => {
  const files = ["shop.sql", "shop.mjs", "place_order.py", "call.mjs"].map((name) => fileOf(name));
  const commands = [shellBlocksOf(1, 2), shellBlocksOf(2, 3), shellBlocksOf(3, 1), shellBlocksOf(4, 1)].flat();
  const page = readPage();
  expect(page).toHaveLength(files.length + commands.length);
  expect(commands.join("")).not.toContain("npm install");
  expect(packagesOf()).toEqual(["fastify", "drizzle-orm", "pg", "zod"]);
});

test("a page that lacks a block is no success", () => {
  expect(() => fileOf("other.mjs")).toThrow("docs/ADOPT.md has 0 other.mjs.");
  expect(() => shellBlocksOf(1, 3)).toThrow("has 2 blocks");
});
