import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readFunctions } from "../apply-functions";
import { forNodes } from "./for-nodes";
import { AT_COORDINATOR, NOT_DELEGATED, ON_EVERY_NODE, placementOf, SETTINGS_ON_NODES } from "./placement";

const manifest = readFileSync("drizzle/manifest.txt", "utf8");
const tables = [...manifest.matchAll(/^table (\w+)/gm)].map(([, name = ""]) => name);
const primaryKeys = new Map(
  [...manifest.matchAll(/^constraint (\w+)\.\w+ PRIMARY KEY \(([^)]*)\)/gm)].map(([, table = "", columns = ""]) => [
    table,
    columns.split(", "),
  ]),
);
const files = readFunctions();
const ofTenant = files.filter(({ text }) => /function onceboard\.\w+\(\s*p_tenant text/.test(text));
const delegated = ofTenant.filter(({ name }) => NOT_DELEGATED[name] === undefined);

describe("where tables are on a distributed database", () => {
  it("each that is distributed has the tenant in its key, and the lists name tables that there are", () => {
    const byTenant = tables.filter((table) => placementOf(table) === "by tenant");
    expect(byTenant.filter((table) => primaryKeys.get(table)?.includes("tenant_id") !== true)).toEqual([]);
    expect(byTenant.length).toBeGreaterThan(50);
    expect([...ON_EVERY_NODE, ...AT_COORDINATOR].filter((table) => !tables.includes(table))).toEqual([]);
  });

  it("functions that run beside a tenant's rows reach no table of the coordinator, and draw no position", () => {
    const away = new RegExp(`onceboard\\.(?:${AT_COORDINATOR.join("|")})\\b(?!\\s*\\()`);
    expect(delegated.filter(({ text }) => away.test(text)).map(({ name }) => name)).toEqual([]);
    const draws = delegated.filter(({ text }) => text.includes("insert into onceboard.outbox_messages"));
    expect(draws.map(({ name }) => name)).toEqual([]);
    const staying = new RegExp(`onceboard\\.(?:${Object.keys(NOT_DELEGATED).join("|")})\\(`);
    expect(delegated.filter(({ text }) => staying.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it("the lists name functions that there are", () => {
    const names = new Set(ofTenant.map(({ name }) => name));
    expect(Object.keys(NOT_DELEGATED).filter((name) => !names.has(name))).toEqual([]);
    const all = new Set(files.map(({ name }) => name));
    expect(Object.keys(SETTINGS_ON_NODES).filter((name) => !all.has(name))).toEqual([]);
  });
});

describe("functions in other words", () => {
  const others = forNodes(files);
  const textOf = (list: readonly { name: string; text: string }[], name: string): string =>
    (list.find((file) => file.name === name)?.text ?? "").replace(/--[^\n]*/g, "");

  it("name no place in a table beside an INSERT, no plan for all tenants, and read no distributed table in SQL", () => {
    for (const name of ["claim_inbox", "claim_outbox"]) {
      expect(textOf(files, name)).toContain("ctid");
      expect(textOf(others, name)).not.toMatch(/ctid|\.at\b/);
    }
    expect(others.filter(({ text }) => text.includes("force_generic_plan"))).toEqual([]);
    const inSql = others.filter(
      ({ name, text }) =>
        NOT_DELEGATED[name] === undefined && /language sql (?:stable|volatile)/.test(text) && text.includes("p_tenant"),
    );
    expect(inSql.map(({ name }) => name)).toEqual([]);
    expect(textOf(others, "record_events")).toContain("onceboard.answer_delay(");
    expect(textOf(others, "mark_sent").match(/clock_timestamp\(\)/g)).toHaveLength(1);
    expect(textOf(others, "mark_sent")).toContain("o.locked_until > v_now");
  });

  it("are otherwise the same", () => {
    const changed = files.filter(({ name, text }) => others.find((other) => other.name === name)?.text !== text);
    expect(changed.map(({ name }) => name).sort()).toEqual([
      "claim",
      "claim_inbox",
      "claim_outbox",
      "client_measures",
      "finish_inbox",
      "mark_sent",
      "metric_rows",
      "operation_overrides",
      "publish_outbox",
      "receive_all",
      "record_events",
      "repeats",
      "suppressed_rows",
    ]);
    expect(others.length).toBe(files.length + 1);
  });
});
