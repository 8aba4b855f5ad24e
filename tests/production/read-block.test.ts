import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBlock } from "./read-block";

const README = readFileSync("README.md", "utf8");

test("the block is the README's, with other addresses and nothing else changed", () => {
  const block = readBlock(README, "postgres://mine", true);
  const [own = ""] = /(?<=^export MIGRATE_DATABASE_URL=)\S+/m.exec(README) ?? [];
  expect(README).toContain(block.replace("postgres://mine", own).replace("@mine/", `@${new URL(own).host}/`));
  expect(block).toContain("@mine/onceboard\n");
  expect(block).toContain("npm run serve &");
  expect(readBlock(README, "postgres://mine", false)).toBe(block.replace("npm ci\n", ""));
});

test("a README without it is no success", () => {
  expect(() => readBlock("## In production\n\nnothing", "postgres://mine", true)).toThrow(/no block of commands/);
  expect(() => readBlock("```sh\nnpm ci\n```", "postgres://mine", true)).toThrow(/no block of commands/);
});
