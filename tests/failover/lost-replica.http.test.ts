import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestHost } from "@/http/testing/host";
import { readSamples } from "@/http/testing/scrape";
import { startCluster, type Cluster } from "./cluster";
import { openReplicaPages, type ReplicaPages } from "./replica-pages";

const UNTIL = { timeout: 20_000, interval: 100 };
const LIMIT_MS = 60_000;
const SILENT = "The read replica does not answer: pages are read from the primary.";

let cluster: Cluster;
let pages: ReplicaPages;
let host: TestHost;

beforeAll(async () => {
  cluster = await startCluster({ synchronous: false });
  pages = await openReplicaPages(cluster, 3_600);
  ({ host } = pages);
});
afterAll(async () => {
  await host.close();
  await cluster.stop();
});

describe("a read replica that hangs", () => {
  it(
    "REPLICA-3 leaves pages to the primary, also those that had begun, until it goes on",
    { timeout: LIMIT_MS },
    async () => {
      await pages.make.completed();
      await vi.waitFor(async () => expect((await pages.reads()).lag).toBe("replica 0 s behind"), UNTIL);
      await cluster.hang();
      try {
        const { operationId } = await pages.make.completed();
        // What was measured a moment ago still sends the first ones there.
        const first = await Promise.all(Array.from({ length: 5 }, () => pages.ids()));
        for (const ids of first) expect(ids).toContain(operationId);
        expect(await pages.reads()).toEqual({ trouble: [SILENT] });
        expect(await pages.ids()).toContain(operationId);
      } finally {
        await cluster.wake();
      }
      await vi.waitFor(async () => expect((await pages.reads()).lag).toBe("replica 0 s behind"), UNTIL);
    },
  );
});

describe("a read replica that is killed", () => {
  const metric = async (name: string): Promise<number | undefined> =>
    readSamples((await host.call({ path: "/api/metrics" })).text).find((sample) => sample.name === name)?.value;

  it("REPLICA-3 leaves pages to the primary, which say so", { timeout: LIMIT_MS }, async () => {
    expect(await metric("read_replica_in_use")).toBe(1);
    expect(await metric("read_replica_lag_seconds")).toBe(0);
    await cluster.killStandby();
    const { operationId } = await pages.make.completed();
    // The first read that finds it gone is answered as well.
    expect(await pages.ids()).toContain(operationId);
    expect(await pages.reads()).toEqual({ trouble: [SILENT] });
    expect((await host.call({ path: "/api/health/ready" })).json?.["notes"]).toContain(SILENT);
    const settings = (await pages.get("/settings")).json as unknown as { replica: string };
    expect(settings.replica).toBe(SILENT);
    expect(await metric("read_replica_in_use")).toBe(0);
    expect(await metric("read_replica_lag_seconds")).toBeUndefined();
  });
});
