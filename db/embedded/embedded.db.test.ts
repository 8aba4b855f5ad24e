import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startEmbedded, type Embedded } from "./embedded";
import { dataDirectory } from "./place";
import { alive, runningServer, stop } from "./server";
import { runAs } from "./system-user";

const root = join(import.meta.dirname, "../..");
let parent: string;
let dataDir: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "onceboard-embedded-"));
  chmodSync(parent, 0o711);
});
beforeEach(() => {
  dataDir = mkdtempSync(join(parent, "data-"));
});
afterEach(async () => {
  const server = runningServer(join(dataDir, "postgres"));
  if (server !== undefined) await stop(server.pid, "SIGQUIT");
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

async function ask<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

const postmaster = () => runningServer(join(dataDir, "postgres"))?.pid;

describe("the embedded database", { timeout: 30_000 }, () => {
  it("starts empty, keeps what is written over a stop, and listens on this machine only", async () => {
    const first = await startEmbedded({ dataDir });
    const settings = `select current_setting('listen_addresses') as hosts, current_setting('unix_socket_directories') as sockets,
        current_setting('server_encoding') as encoding, current_setting('timezone') as zone,
        current_setting('fsync') as fsync, datcollate, datlocprovider
      from pg_database where datname = current_database()`;
    expect(await ask(first.url, settings)).toEqual([
      {
        hosts: "127.0.0.1",
        sockets: "",
        encoding: "UTF8",
        zone: "UTC",
        fsync: "on",
        datcollate: "C",
        datlocprovider: "b",
      },
    ]);
    await ask(first.url, "create table kept as select 1 as one");
    await first.stop();
    await first.stop();
    expect(postmaster()).toBeUndefined();
    expect(statSync(join(dataDir, "postgres.password")).mode & 0o777).toBe(0o600);
    const second = await startEmbedded({ dataDir });
    expect(await ask(second.url, "select one from kept")).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it("is shared by all that start it together, and stopped by the last", async () => {
    const all = await Promise.all([startEmbedded({ dataDir }), startEmbedded({ dataDir }), startEmbedded({ dataDir })]);
    expect(new Set(all.map((one) => one.url)).size).toBe(1);
    const [last, ...others] = all as [Embedded, ...Embedded[]];
    for (const other of others) await other.stop();
    expect(await ask(last.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await last.stop();
    expect(postmaster()).toBeUndefined();
  });

  it("takes over what a killed process left running", async () => {
    const child = await inOtherProcess();
    const pid = postmaster();
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    const embedded = await startEmbedded({ dataDir });
    expect(postmaster()).toBe(pid);
    await embedded.stop();
    expect(pid !== undefined && alive(pid)).toBe(false);
  });

  it("stops the server when the process ends without having done so", async () => {
    const child = await inOtherProcess();
    const pid = postmaster() ?? 0;
    child.kill("SIGUSR2");
    await new Promise((resolve) => child.once("exit", resolve));
    await expect.poll(() => alive(pid), { timeout: 20_000 }).toBe(false);
  });

  it("starts again at once after the server was killed with its sessions open", async () => {
    const embedded = await startEmbedded({ dataDir });
    const busy = ask(embedded.url, "select pg_sleep(60)").catch(() => "cut");
    await expect
      .poll(() => ask(embedded.url, "select 1 from pg_stat_activity where query like 'select pg_sleep%'"))
      .toHaveLength(1);
    process.kill(postmaster() ?? 0, "SIGKILL");
    const again = await startEmbedded({ dataDir });
    expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await again.stop();
    expect(await busy).toBe("cut");
  });

  it("does not mistake another program for a server that has gone", async () => {
    const first = await startEmbedded({ dataDir });
    await first.stop();
    writeFileSync(join(dataDir, "postgres", "postmaster.pid"), `${process.pid}\n${dataDir}\n0\n1\n`);
    const second = await startEmbedded({ dataDir });
    await second.stop();
  });

  it("says in one sentence what is wrong with a data directory", async () => {
    mkdirSync(join(dataDir, "postgres"));
    writeFileSync(join(dataDir, "postgres.password"), "x");
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/is not a PostgreSQL data directory: restore it/);
    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "11\n");
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/was made by PostgreSQL 11 and this is 18/);
    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "18\n");
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/did not start \(see .*postgres\.log\): .+/);
    rmSync(join(dataDir, "postgres.password"));
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/password of the database in .* is gone/);
    expect(readdirSync(dataDir).filter((name) => name === "postgres.lock")).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "RUN-7 RUN-8 is told no secret of its caller, and lies where nobody else gets",
    async () => {
      process.env["SECRET"] = "s3cret of the caller";
      try {
        const embedded = await startEmbedded({ dataDir });
        const environ = readFileSync(`/proc/${String(postmaster())}/environ`, "utf8");
        expect(environ).toContain("LC_ALL=C");
        expect(environ).not.toContain("s3cret");
        expect(statSync(dataDir).mode & 0o707).toBe(0o700);
        await embedded.stop();
      } finally {
        delete process.env["SECRET"];
      }
    },
  );

  it("RUN-10 comes back at the same address after a kill -9, with what was committed", async () => {
    const embedded = await startEmbedded({ dataDir });
    await ask(embedded.url, "create table kept as select 7 as seven");
    expect(embedded.alive()).toBe(true);
    const first = postmaster() ?? 0;
    process.kill(first, "SIGKILL");
    await expect.poll(() => embedded.alive(), { timeout: 20_000 }).toBe(false);
    await Promise.all([embedded.revive(), embedded.revive()]);
    expect([embedded.alive(), postmaster() !== first]).toEqual([true, true]);
    expect(await ask(embedded.url, "select seven from kept")).toEqual([{ seven: 7 }]);
    await embedded.stop();
    await embedded.revive();
    expect(embedded.alive()).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("keeps the data elsewhere when the system user cannot enter", async () => {
    const closed = join(dataDir, "home");
    mkdirSync(closed, { mode: 0o700 });
    const inside = join(closed, ".onceboard");
    const results: string[] = [];
    const embedded = await startEmbedded({ dataDir: inside, log: (line) => results.push(line) });
    expect(await ask(embedded.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await embedded.stop();
    const moved = readFileSync(join(inside, "postgres.location"), "utf8").trim();
    expect(results[0]).toContain(moved);
    expect(dataDirectory(inside, runAs(), () => undefined)).toBe(join(moved, "postgres"));
    rmSync(moved, { recursive: true });
  });

  async function inOtherProcess(): Promise<ChildProcess> {
    const code = `
      const { startEmbedded } = await import(${JSON.stringify(join(root, "db/embedded/embedded.ts"))});
      await startEmbedded({ dataDir: ${JSON.stringify(dataDir)} });
      process.on("SIGUSR2", () => process.exit(0));
      process.stdout.write("ready");
      setInterval(() => undefined, 60_000);`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return child;
  }
});
