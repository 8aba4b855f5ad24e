import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freePort } from "@/cli/startup/listen";
import { shellBlocksOf, fileOf } from "./adopt-page";
import { terminalEnvironment, openShell, type PageShell, type Variables } from "./page-shell";

const [BEGIN = "", TRY = ""] = shellBlocksOf(1, 2);
const [CALL = ""] = shellBlocksOf(4, 1);
const OWN_ADDRESS = "localhost:3000";

/**
 * The ways 1 and 4 of docs/ADOPT.md: `init` in an empty folder, and then what it and the page say.
 *
 * @param node gives the directory of the Node that runs it; the one of this process when left out
 * @param ending of the modules that `init` writes for it
 */
export function moduleCases(ending: "mjs" | "mts", node?: () => string): void {
  let folder: string;
  let address: string;
  let env: Variables;
  let shell: PageShell;
  beforeAll(async () => {
    folder = mkdtempSync(join(inject("installed"), "module-"));
    const port = await freePort();
    address = `localhost:${String(port)}`;
    const path = [node?.(), process.env["PATH"]].filter((part) => part !== undefined).join(delimiter);
    env = { PATH: path, PORT: String(port) };
    shell = openShell(BEGIN, folder, env);
    await shell.printed(/^Onceboard is on /m);
  });
  afterAll(() => shell.close());

  /** Pastes commands of the page into another terminal, where the one thing that differs is the port. */
  function paste(commands: string, more: Variables = {}): string {
    const text = commands.replaceAll(OWN_ADDRESS, address);
    const { status, stdout, stderr } = spawnSync("bash", ["-euc", text], {
      cwd: folder,
      env: terminalEnvironment({ ...env, ...more }),
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${text} ended with ${String(status)}: ${stdout}${stderr}`);
    return stdout;
  }
  describe("onceboard init in an empty folder", () => {
    it("writes modules that this Node reads, and prints what the page says", () => {
      const written = readdirSync(folder).filter((name) => /\.m[jt]s$/.test(name));
      expect(written.sort()).toEqual([`onceboard.config.${ending}`, `orders.${ending}`]);
      const printed = shell.output().replace("--password …", "--password 'change this now'");
      for (const line of TRY.trim().split("\n")) expect(printed).toContain(line);
    });

    it("makes an operator, a key and an order; the order that is sent twice is one", () => {
      const first = paste(TRY);
      expect(first).toContain("created you@example.com (admin)");
      expect(first).toContain("HTTP/1.1 201");
      const again = paste(TRY);
      expect(again).toContain("updated you@example.com (admin)");
      expect(again.toLowerCase()).toContain("idempotent-replayed: true");
      expect(bodyOf(again)).toBe(bodyOf(first));
      expect(JSON.parse(bodyOf(first))).toMatchObject({ item: "lamp", quantity: 2 });
    });

    it("shows its pages", async () => {
      const page = await fetch(`http://${address}/sign-in`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Onceboard")]);
    });

    it("is called by the client library from another process, once", () => {
      writeFileSync(join(folder, "call.mjs"), fileOf("call.mjs"));
      const key = paste("npx onceboard api-key --data-dir .onceboard --tenant acme --name till --scopes orders").trim();
      const printed = paste(CALL, { KEY: key, ONCEBOARD_URL: `http://${address}` });
      const [first, second] = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { id: string; replayed: boolean });
      expect(first).toMatchObject({ item: "chair", replayed: false });
      expect(second).toEqual({ ...first, replayed: true });
    });
  });
}

const bodyOf = (answer: string): string => answer.split("\r\n\r\n").at(-1) ?? "";
