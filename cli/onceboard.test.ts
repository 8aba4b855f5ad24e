import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "./startup/commands";
import { nodeArguments } from "./startup/installation";

function onceboard(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArguments("cli/onceboard.ts"), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the command onceboard", { timeout: 20_000 }, () => {
  test("--help names every command", () => {
    const { status, stdout } = onceboard("--help");
    expect(status).toBe(0);
    for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test("--version is that of package.json", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(onceboard("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("an unknown command is one sentence, and the status of a wrong command line", () => {
    const { status, stderr } = onceboard("sevre");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "There is no command sevre: onceboard --help lists them.\n",
    });
  });

  test("a command reads its own options", () => {
    const { status, stderr } = onceboard("api-key", "--tenant", "acme");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^--name, --scopes missing\. Usage: npm run -s api-key -- --tenant /);
  });

  test.each(COMMANDS.map(({ name }) => name))("%s is an entry of its own too", (name) => {
    expect(existsSync(`cli/${name}.ts`)).toBe(true);
  });
});
