import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeProject } from "./startup/write-project";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "init-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("onceboard init", () => {
  test("writes a configuration whose imports are there, a migration and scripts, and says what to do next", () => {
    const said = writeProject(folder, "mts");
    expect(readdirSync(folder).sort()).toEqual(["migrations", "onceboard.config.mts", "orders.mts", "package.json"]);
    expect(read("onceboard.config.mts")).toContain('import { orders } from "./orders.mts";');
    expect(read("orders.mts")).toContain('from "onceboard";');
    expect(read("orders.mts")).toContain('new URL("./migrations/", import.meta.url)');
    expect(existsSync(join(folder, "migrations/0001_orders.sql"))).toBe(true);
    expect(JSON.parse(read("package.json"))).toMatchObject({ scripts: { start: "onceboard start" } });
    expect(said.join("\n")).toMatch(/wrote orders\.mts[^]*npx onceboard start[^]*Idempotency-Key/);
  });

  test("keeps what package.json has, scripts of the same names too", () => {
    writeFileSync(join(folder, "package.json"), '{"name":"shop","scripts":{"start":"node shop.js","lint":"x"}}');
    writeProject(folder, "mts");
    expect(JSON.parse(read("package.json"))).toMatchObject({
      name: "shop",
      scripts: { start: "node shop.js", lint: "x", worker: "onceboard worker" },
    });
  });

  test("overwrites nothing, and writes nothing then", () => {
    writeFileSync(join(folder, "orders.mts"), "mine");
    expect(() => writeProject(folder, "mts")).toThrow("orders.mts is there already: nothing was written.");
    expect(readdirSync(folder)).toEqual(["orders.mts"]);
    expect(read("orders.mts")).toBe("mine");
  });
});
