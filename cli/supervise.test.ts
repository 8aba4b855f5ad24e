import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createSupervisor, delayAfter, MAX_DELAY_MS, type ChildPlan, type Supervisor } from "./supervise";

const PROGRAMS = {
  // Says its process id and lives until it is told to end.
  steady: `process.on("SIGTERM", () => { console.log("bye"); process.exit(0); });
    process.on("disconnect", () => process.exit(0)); setInterval(() => {}, 1e6); console.log("up " + process.pid);`,
  broken: `console.error("Port 1 is taken by another program."); process.exit(1);`,
  mortal: `console.log("up " + process.pid); setTimeout(() => process.exit(3), 5);`,
  // Says its process id, and is up unless the file of FLAG is there.
  slow: `import { existsSync } from "node:fs"; console.log("coming " + process.pid); setInterval(() => {}, 1e6);
    process.on("disconnect", () => process.exit(0)); if (!existsSync(process.env.FLAG)) console.log("up " + process.pid);`,
  // Says what it hears of the others.
  hearing: `process.on("message", ({ down }) => console.log("down: " + down.join())); process.on("disconnect", () => process.exit(0));
    process.on("SIGTERM", () => process.exit(0)); console.log("up " + process.pid);`,
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
}

function watched(killAfterMs = 2_000): Watched {
  const results: string[] = [];
  const supervisor = createSupervisor({
    say: (line) => void results.push(line),
    onLine: (name, _stream, line) => void results.push(`${name}: ${line}`),
    firstDelayMs: 20,
    killAfterMs,
  });
  onTestFinished(() => supervisor.stop());
  return { supervisor, said: results };
}

describe("a supervisor", { timeout: 60_000 }, () => {
  test("says in the child's own words why it did not start", async () => {
    const { supervisor, said } = watched();
    await expect(supervisor.start(plan("api", "broken"))).rejects.toThrow(
      "api did not start: Port 1 is taken by another program.",
    );
    expect(said.filter((line) => !line.startsWith("api: "))).toEqual([]);
  });

  test("ends children last first, each by its own will", async () => {
    const { supervisor, said } = watched();
    await supervisor.start(plan("first", "steady"));
    await supervisor.start(plan("second", "steady"));
    await supervisor.stop();
    await vi.waitFor(() => expect(said).toEqual(["second: bye", "first: bye"]), 10_000);
    await expect(supervisor.start(plan("third", "steady"))).rejects.toThrow("stopping");
  });

  test("kills a child that does not want to end, and says so", async () => {
    const { supervisor, said } = watched(50);
    await supervisor.start(plan("api", "stubborn"));
    await supervisor.stop();
    expect(said).toContain("api did not end by itself and was killed");
  });

  test("brings a crashed child back, as often as it is crashed on purpose", async () => {
    const { supervisor, said } = watched();
    await supervisor.start(plan("api", "steady"));
    supervisor.crash("api");
    await vi.waitFor(() => expect(said).toContain("api is up again"), 10_000);
    expect(said[0]).toBe("api ended (SIGKILL), starting it again");
  });

  test("RUN-10 goes on trying a child that only ever dies, slower each time, and leaves the others alone", async () => {
    const { supervisor, said } = watched();
    await supervisor.start(plan("first", "steady"));
    await supervisor.start(plan("worker", "mortal"));
    const deaths = () => said.filter((line) => line.startsWith("worker ended (exit code 3), starting it again"));
    await vi.waitFor(() => expect(deaths().length).toBeGreaterThan(6), 50_000);
    expect(said.filter((line) => line.startsWith("first"))).toEqual([]);
    expect([1, 2, 3, 7, 8, 1_000].map((count) => delayAfter(count))).toEqual([
      500,
      1_000,
      2_000,
      30_000,
      30_000,
      MAX_DELAY_MS,
    ]);
  });

  test("RUN-10 tells a child that hears it which of the others are down, also when it comes up later than they died", async () => {
    const { supervisor, said } = watched();
    const flag = join(directory, "told.flag");
    await supervisor.start({ ...plan("serve", "hearing"), hearsDown: true });
    await supervisor.start({ ...plan("worker", "slow"), env: { ...process.env, FLAG: flag } });
    writeFileSync(flag, "");
    const killed = pidIn(said, "worker");
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => expect(said).toContain("serve: down: worker"), 10_000);
    const before = said.length;
    supervisor.crash("serve");
    await vi.waitFor(() => expect(said.slice(before)).toContain("serve: down: worker"), 10_000);
    // On a slow machine the one that comes after it has not said its process id yet.
    await vi.waitFor(() => expect(pidIn(said, "worker")).not.toBe(killed), 10_000);
    rmSync(flag);
    process.kill(pidIn(said, "worker"), "SIGKILL");
    await vi.waitFor(() => expect(said.at(-1)).toBe("serve: down: "), 15_000);
  });

  test("RUN-10 tries a child again that is killed while it comes up again, as often as that happens", async () => {
    const { supervisor, said } = watched();
    const flag = join(directory, "slow.flag");
    await supervisor.start(plan("other", "steady"));
    await supervisor.start({ ...plan("serve", "slow"), env: { ...process.env, FLAG: flag } });
    // From now on it says its process id and does not come up.
    writeFileSync(flag, "");
    process.kill(pidIn(said, "serve"), "SIGKILL");
    for (let kills = 1; kills <= 4; kills += 1) {
      const seen = said.length;
      await vi.waitFor(
        () => expect(said.slice(seen).some((line) => line.startsWith("serve: coming"))).toBe(true),
        10_000,
      );
      process.kill(pidIn(said, "serve"), "SIGKILL");
    }
    rmSync(flag);
    await vi.waitFor(() => expect(said).toContain("serve is up again"), 15_000);
    expect(said.filter((line) => line.startsWith("serve ended (SIGKILL)")).length).toBeGreaterThanOrEqual(5);
    expect(said.some((line) => line.startsWith("other"))).toBe(false);
  });

  test("RUN-10 tries a child again that is killed before it was up for the first time", async () => {
    const { supervisor, said } = watched();
    const flag = join(directory, "first.flag");
    writeFileSync(flag, "");
    const started = supervisor.start({ ...plan("serve", "slow"), env: { ...process.env, FLAG: flag } });
    await vi.waitFor(() => expect(said.some((line) => line.startsWith("serve: coming"))).toBe(true), 10_000);
    rmSync(flag);
    process.kill(pidIn(said, "serve"), "SIGKILL");
    await started;
    expect(said).toContain("serve ended (SIGKILL), starting it again");
  });
});

/** The process id that a child said last. */
function pidIn(said: readonly string[], name: string): number {
  return Number(
    said
      .findLast((line) => line.startsWith(`${name}: coming `))
      ?.split(" ")
      .at(-1),
  );
}
