import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { boundedRead } from "@/db/bounded-read";
import { databaseErrorCode } from "@/db/errors";
import { openReplica, requireStandby } from "@/db/replica/open-replica";
import { pageDatabase } from "@/db/replica/page-reads";
import { askServer } from "@/db/testing/ask-server";
import { createTestDatabase } from "@/db/testing/test-database";
import { examineReplica } from "@/cli/doctor/replica";
import { parseConfig } from "@/domain/config";
import type { TestHost } from "@/http/testing/host";
import { startCluster, type Cluster } from "./cluster";
import { openReplicaPages, type ReplicaPages } from "./replica-pages";
import openapi from "@/docs/openapi.json" with { type: "json" };

const UNTIL = { timeout: 20_000, interval: 100 };
const LIMIT_MS = 60_000;

let cluster: Cluster;
/** Whose replica may be an hour behind: longer than any wait below. */
let pages: ReplicaPages;
let host: TestHost;
const lines: string[] = [];

beforeAll(async () => {
  cluster = await startCluster({ synchronous: false });
  pages = await openReplicaPages(cluster, 3_600, { lines: { write: (line) => void lines.push(line) } });
  ({ host } = pages);
});
afterAll(async () => {
  await host.close();
  await cluster.stop();
});

/** What the primary writes meanwhile is not on the standby's pages. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await cluster.pause();
  try {
    await work();
  } finally {
    await cluster.resume();
    await cluster.caughtUp();
  }
}

describe("a page with a read replica", () => {
  it(
    "REPLICA-1 is read from it, says how far it is behind, and of what moment it is",
    { timeout: LIMIT_MS },
    async () => {
      const before = await pages.make.completed();
      await vi.waitFor(async () => expect(await pages.ids()).toContain(before.operationId), UNTIL);
      await whilePaused(async () => {
        const after = await pages.make.completed();
        const ids = await pages.ids();
        expect(ids).toContain(before.operationId);
        expect(ids).not.toContain(after.operationId);
        await vi.waitFor(async () => expect((await pages.reads()).lag).toMatch(/^replica [1-9]\d* s behind$/), UNTIL);
        expect((await pages.reads()).trouble).toEqual([]);
        // The time of the list is that of its rows: from then on others are newer, and the row that is missing is one of them.
        const { at } = (await pages.get("/operations")).json as unknown as { at: string };
        const [row] = await host.rows<{ created: Date }>(
          "select created_at as created from onceboard.idempotency_requests where operation_id = $1",
          after.operationId,
        );
        expect(Date.parse(at)).toBeLessThanOrEqual(row?.created.getTime() ?? 0);
      });
      await vi.waitFor(async () => expect((await pages.reads()).lag).toBe("replica 0 s behind"), UNTIL);
    },
  );

  it("REPLICA-1 asks nothing of a standby that a standby cannot do", { timeout: LIMIT_MS }, async () => {
    await pages.make.withConflict();
    await pages.make.outboxDead();
    await cluster.caughtUp();
    const prefix = "/admin";
    const plain = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
      path.startsWith(prefix) && "get" in methods && !path.includes("{") ? [path.slice(prefix.length)] : [],
    );
    expect(plain.length).toBeGreaterThan(20);
    lines.length = 0;
    let answered = 0;
    for (const path of plain) {
      const { status } = await pages.get(path);
      if (status === 200) answered += 1;
      // Some want a parameter; none may have failed.
      expect([200, 400, 404], path).toContain(status);
    }
    expect(answered).toBeGreaterThan(plain.length / 2);
    expect(lines.filter((line) => line.includes("read replica"))).toEqual([]);
  });

  it("REPLICA-2 finds one thing that the replica does not have yet", { timeout: LIMIT_MS }, async () => {
    await whilePaused(async () => {
      const { operationId } = await pages.make.completed();
      expect(await pages.ids()).not.toContain(operationId);
      expect((await pages.get(`/operations/${operationId}`)).status).toBe(200);
      expect((await pages.get(`/operations/${randomUUID()}`)).status).toBe(404);
    });
  });

  it(
    "REPLICA-2 is the primary's for a program, and for whoever acted until the replica has that",
    { timeout: LIMIT_MS },
    async () => {
      const headers = (cookie: string): [string, string][] => [
        ["cookie", cookie],
        ["content-type", "application/json"],
        ["origin", host.url],
        ["idempotency-key", randomUUID()],
      ];
      const names = async (cookie: string) =>
        ((await pages.get("/views?page=operations", cookie)).json as unknown as { rows: { name: string }[] }).rows.map(
          ({ name }) => name,
        );
      const key = await host.key(["admin"]);
      let acted = "";
      await whilePaused(async () => {
        const saved = await host.call({
          method: "POST",
          path: `/api/v1/admin/views?tenant=${host.tenant}`,
          headers: headers(pages.reader),
          body: JSON.stringify({ page: "operations", name: "Mine", search: "?state=STALE" }),
        });
        expect(saved).toMatchObject({ status: 200, json: { changed: true } });
        const set = saved.headers["set-cookie"]?.find((line) => line.startsWith("ob_acted=")) ?? "";
        expect(set).toMatch(/^ob_acted=\d+; Path=\/; Max-Age=3610; HttpOnly; SameSite=Lax$/);
        acted = `${pages.reader}; ${set.split(";")[0] ?? ""}`;
        expect(await names(acted)).toEqual(["Mine"]);
        expect((await pages.reads(acted)).lag).toBeUndefined();
        // Another browser may see it a moment later.
        expect(await names(pages.reader)).toEqual([]);
        const { operationId } = await pages.make.completed();
        const listed = await host.call({
          path: "/api/v1/admin/operations",
          headers: [["authorization", `Bearer ${key}`]],
        });
        expect(listed.text).toContain(operationId);
      });
      // The log has to go on behind the act: some of its positions are the beginning of a page that is not written yet.
      await pages.make.completed();
      await vi.waitFor(async () => expect((await pages.reads(acted)).lag).toBe("replica 0 s behind"), UNTIL);
      expect(await names(pages.reader)).toEqual(["Mine"]);
    },
  );

  it(
    "REPLICA-3 is read from the primary once the replica is too far behind, and says so",
    { timeout: LIMIT_MS },
    async () => {
      const strict = await openReplicaPages(cluster, 1);
      try {
        await vi.waitFor(async () => expect((await strict.reads()).lag).toBeDefined(), UNTIL);
        await whilePaused(async () => {
          const { operationId } = await strict.make.completed();
          await vi.waitFor(async () => expect(await strict.ids()).toContain(operationId), UNTIL);
          const reads = await strict.reads();
          expect(reads.lag).toBeUndefined();
          expect(reads.trouble).toEqual([
            expect.stringMatching(/^The read replica is \d+ s behind: pages are read from the primary\.$/),
          ]);
        });
        await vi.waitFor(async () => expect((await strict.reads()).lag).toBeDefined(), UNTIL);
      } finally {
        await strict.host.close();
      }
    },
  );

  it("REPLICA-3 is not late because nobody writes", { timeout: LIMIT_MS }, async () => {
    await cluster.caughtUp();
    const idle = "select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) as s";
    await vi.waitFor(async () => {
      const [row] = await askServer<{ s: string }>(cluster.standbyUrl, idle);
      expect(Number(row?.s)).toBeGreaterThan(2);
    }, UNTIL);
    expect((await pages.reads()).lag).toBe("replica 0 s behind");
  });

  it("REPLICA-3 is read again from the primary when recovery is in its way", { timeout: LIMIT_MS }, async () => {
    await askServer(cluster.standbyUrl, "alter system set max_standby_streaming_delay = 0");
    await askServer(cluster.standbyUrl, "select pg_reload_conf()");
    const db = createDatabase({ url: host.ownerUrl, max: 2, role: "owner" });
    const standby = new URL(host.ownerUrl);
    standby.port = String(cluster.standbyPort);
    const replica = openReplica(db, { url: standby.href, max: 2, role: "owner", maxLagMs: 3_600_000 });
    try {
      await askServer(host.ownerUrl, "create table public.rows_of_a_test as select generate_series(1, 1000) as id");
      await cluster.caughtUp();
      const seen: (string | boolean | undefined)[] = [];
      const page = pageDatabase(db, replica, undefined);
      const read = await boundedRead(page, "search", async (q) => {
        const count = "select count(*)::int as count, pg_is_in_recovery() as recovers from public.rows_of_a_test";
        const { rows: first } = await q.query<{ count: number; recovers: boolean }>({ text: count });
        seen.push(first[0]?.recovers);
        if (first[0]?.recovers !== true) return first[0]?.count;
        const slow = q.query({ text: `${count} where pg_sleep(0.01) is not null` });
        const ended = slow.catch((error: unknown) => void seen.push(databaseErrorCode(error)));
        const running =
          "select from pg_stat_activity where state = 'active' and query like '%pg_sleep(0.01)%' and pid <> pg_backend_pid()";
        await vi.waitUntil(async () => (await askServer(cluster.standbyUrl, running)).length > 0, UNTIL);
        await askServer(host.ownerUrl, "delete from public.rows_of_a_test where id > 10");
        await askServer(host.ownerUrl, "vacuum public.rows_of_a_test");
        await ended;
        await slow;
        return undefined;
      });
      expect(seen).toEqual([true, "40001", false]);
      expect(read).toEqual({ kind: "done", value: 10 });
      expect(page.reads?.facts()?.from).toBe("primary");
    } finally {
      await replica.close();
      await db.close();
      await askServer(host.ownerUrl, "drop table if exists public.rows_of_a_test");
    }
  });
});

describe("what is no standby of the database", () => {
  it("REPLICA-4 is refused at start and by the doctor", { timeout: LIMIT_MS }, async () => {
    const other = await createTestDatabase();
    const standby = new URL(host.ownerUrl);
    standby.port = String(cluster.standbyPort);
    try {
      await expect(requireStandby(host.ownerUrl, other.url)).rejects.toThrow(
        "DATABASE_URL_READ is no standby of DATABASE_URL: it takes writes itself (docs/scale/read-replica.md).",
      );
      await expect(requireStandby(other.url, standby.href)).rejects.toThrow("it follows another server");
      await expect(requireStandby(cluster.url, standby.href)).rejects.toThrow("it is another database");
      await expect(requireStandby(host.ownerUrl, standby.href)).resolves.toBeUndefined();
      const doctor = (databaseUrlRead: string) => {
        const { deps } = host;
        if (deps === undefined) throw new Error("only in process");
        return examineReplica({ ...deps.config, databaseUrl: host.ownerUrl, databaseUrlRead });
      };
      expect(await doctor(other.url)).toMatchObject([
        { state: "wrong", text: expect.stringContaining("it takes writes itself") as string },
      ]);
      expect(await doctor(standby.href)).toMatchObject([
        { state: "ok", text: expect.stringMatching(/^The read replica is 0 s and \d+ bytes behind$/) as string },
      ]);
    } finally {
      await other.drop();
    }
  });

  it("REPLICA-4 must be named beside DATABASE_URL, and be another", () => {
    const url = "postgres://localhost/x";
    expect(() => parseConfig({ DATABASE_URL: url, DATABASE_URL_READ: url })).toThrow("DATABASE_URL_READ must not be");
    expect(() => parseConfig({ DATABASE_URL_READ: "postgres://localhost/x" })).toThrow(
      "DATABASE_URL_READ needs DATABASE_URL",
    );
  });
});
