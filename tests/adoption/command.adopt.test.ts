import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";

/** As somebody types it: nothing but the search path is in the environment. */
function bare(folder: string, ...args: string[]) {
  const command = ["-i", `PATH=${process.env["PATH"] ?? ""}`, "npx", "onceboard", ...args];
  const { status, stdout, stderr } = spawnSync("env", command, { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

const empty = (): string => mkdtempSync(join(inject("installed"), "empty-"));

describe("the command onceboard, installed", () => {
  it.each([
    ["serve"],
    ["api"],
    ["worker"],
    ["migrate"],
    ["api-key", "--tenant", "acme", "--name", "till", "--scopes", "admin"],
    ["operator", "--email", "you@example.com", "--password", "change this now", "--role", "admin"],
  ])("%s without DATABASE_URL names it and makes nothing", (...args) => {
    const folder = empty();
    const { status, stdout, stderr } = bare(folder, ...args);
    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain("DATABASE_URL");
    expect(stdout).toBe("");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("an unknown command is one sentence and the status 2", () => {
    const { status, stderr } = bare(empty(), "sevre");
    expect(status).toBe(2);
    expect(stderr).toContain("There is no command sevre: onceboard --help lists them.\n");
  });

  it("doctor names what is missing", () => {
    const { status, stdout } = bare(empty(), "doctor");
    expect(status).toBe(1);
    for (const name of ["DATABASE_URL", "SECRET", "ENCRYPTION_KEYS"])
      expect(stdout).toMatch(new RegExp(`^wrong +${name} `, "m"));
  });
});
