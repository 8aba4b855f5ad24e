import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createSupervisor, MAX_RESTARTS, type ChildPlan, type Supervisor } from "./supervise";

const PROGRAMS = {
  // Says its process id and lives until it is told to end.
  steady: `process.on("SIGTERM", () => { console.log("bye"); process.exit(0); });
    process.on("disconnect", () => process.exit(0)); setInterval(() => {}, 1e6); console.log("up " + process.pid);`,
  broken: `console.error("Port 1 is taken by another program."); process.exit(1);`,
  mortal: `console.log("up " + process.pid); setTimeout(() => process.exit(3), 5);`,
  stubborn: `process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6); console.log("up " + process.pid);`,
};

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "supervise-"));
  for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(directory, `${name}.mjs`), text);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const plan = (name: string, program: keyof typeof PROGRAMS): ChildPlan => ({
  name,
  entry: join(directory, `${program}.mjs`),
  env: process.env,
  ready: /^up /,
});

interface Watched {
  readonly supervisor: Supervisor;
  readonly said: string[];
  readonly gaveUp: string[];
}

function watched(killAfterMs = 2_000): Watched {
  const results: string[] = [];
  const gaveUp: string[] = [];
  const supervisor = createSupervisor({
    say: (line) => void results.push(line),
    onLine: (name, _stream, line) => void results.push(`${name}: ${line}`),
    onGiveUp: (reason) => void gaveUp.push(reason),
    killAfterMs,
  });
  onTestFinished(() => supervisor.stop());
  return { supervisor, said: results, gaveUp };
}

describe("a supervisor", { timeout: 20_000 }, () => {
  test("says in the child's own words why it did not start", async () => {
    const { supervisor, gaveUp } = watched();
    await expect(supervisor.start(plan("api", "broken"))).rejects.toThrow(
      "api did not start: Port 1 is taken by another program.",
    );
    expect(gaveUp).toEqual([]);
  });

  test("ends children last first, each by its own will", async () => {
    const { supervisor, said } = watched();
    await supervisor.start(plan("first", "steady"));
    await supervisor.start(plan("second", "steady"));
    await supervisor.stop();
    await vi.waitFor(() => expect(said).toEqual(["second: bye", "first: bye"]));
    await expect(supervisor.start(plan("third", "steady"))).rejects.toThrow("stopping");
  });

  test("kills a child that does not want to end, and says so", async () => {
    const { supervisor, said } = watched(50);
    await supervisor.start(plan("api", "stubborn"));
    await supervisor.stop();
    expect(said).toContain("api did not end by itself and was killed");
  });

  test("brings a crashed child back, as often as it is crashed on purpose", async () => {
    const { supervisor, said, gaveUp } = watched();
    await supervisor.start(plan("api", "steady"));
    supervisor.crash("api");
    await vi.waitFor(() => expect(said).toContain("api is up again"), 10_000);
    expect(said[0]).toBe("api ended (SIGKILL), starting it again");
    expect(gaveUp).toEqual([]);
  });

  test("gives up when a child only ever dies, and says which", async () => {
    const { supervisor, gaveUp } = watched();
    await supervisor.start(plan("worker", "mortal"));
    await vi.waitFor(() => expect(gaveUp).not.toEqual([]), 18_000);
    expect(gaveUp[0]).toContain(`worker died ${String(MAX_RESTARTS + 1)} times within a minute (exit code 3)`);
  });
});
