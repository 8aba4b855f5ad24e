import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, type ClientOptions, type OnceboardClient } from "./create-client";
import { createFileStore } from "./node-file-store";
import { createMemoryStore, createStorageStore, MAX_PENDING, type PendingStore } from "./pending-store";
import { createFakeClock } from "./testing/fake-clock";
import { fakeStorage } from "./testing/fake-storage";
import { pendingAction as action, STORE_CONTRACT } from "./testing/store-contract";
import { scriptedAnswer, PAYMENT, silence, startRawServer, type RawServer } from "./testing/raw-server";

let server: RawServer;
let directory: string;
beforeEach(async () => {
  server = await startRawServer();
  directory = mkdtempSync(join(tmpdir(), "pending-"));
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await server.close();
});

/** Two stores over the same things, as two tabs or processes have. */
const STORES: [string, () => () => PendingStore][] = [
  [
    "memory",
    () => {
      const store = createMemoryStore();
      return () => store;
    },
  ],
  [
    "storage",
    () => {
      const storage = fakeStorage();
      return () => createStorageStore(storage, { namespace: "mira" });
    },
  ],
  ["file", () => () => createFileStore(join(directory, "of-mira"))],
];

const ONE_TRY = { maxAttempts: 1 };
function client(options: Partial<ClientOptions>): OnceboardClient {
  return createClient({ baseUrl: server.url, clock: createFakeClock(), ...options });
}
describe.each(STORES)("CLIENT-1 a key in the %s store", (_name, prepare) => {
  it.each(STORE_CONTRACT)("$title", ({ check }) => check({ server, openStore: prepare() }));
});

it("is not resumed while this very client is sending it", async () => {
  const store = createMemoryStore();
  const caller = client({ store });
  let resumed = -1;
  server.script = [
    (socket, request) =>
      void caller.resume().then((list) => {
        resumed = list.length;
        scriptedAnswer(201)(socket, request);
      }),
  ];
  await caller.payments.create(PAYMENT);
  expect([resumed, server.seen.length]).toEqual([0, 1]);
});

it("nothing is sent when the store cannot keep the key", async () => {
  const full = Object.assign(fakeStorage(), {
    setItem: () => {
      throw new Error("QuotaExceededError");
    },
  });
  await expect(client({ store: createStorageStore(full) }).payments.create(PAYMENT)).rejects.toThrow("QuotaExceeded");
  const file = createFileStore(join(directory, "no", "\u0000"));
  await expect(client({ store: file }).payments.create(PAYMENT)).rejects.toThrow();
  expect(server.seen).toEqual([]);
});

it("a store of memory is bounded", async () => {
  const store = createMemoryStore();
  for (let index = 0; index < MAX_PENDING; index += 1) await store.open(action({ key: `key-${String(index)}` }));
  await expect(store.open(action({ key: "one more" }))).rejects.toThrow("pending already");
  // One that is there is found.
  expect((await store.open(action({ key: "key-7" }))).key).toBe("key-7");
});

it("people of one browser are kept apart, and what others wrote is left alone", async () => {
  const storage = fakeStorage();
  storage.setItem("theme", "dark");
  storage.setItem('onceboard.pending.mira.["https://pay.example.com","name","x"]', "{}");
  const mira = createStorageStore(storage, { namespace: "mira" });
  const noor = createStorageStore(storage, { namespace: "noor" });
  await mira.open(action());
  expect([(await mira.list()).length, (await noor.list()).length]).toEqual([1, 0]);
  expect(storage.getItem("theme")).toBe("dark");
});

it("changes of a storage are made under its lock, so that tabs take turns", async () => {
  const held: string[] = [];
  const locks = {
    request: async (name: string, act: () => Promise<unknown>) => {
      held.push(name);
      return await act();
    },
  } as unknown as LockManager;
  const store = createStorageStore(fakeStorage(), { namespace: "mira", locks });
  await store.remove(await store.open(action()));
  expect(held).toEqual(["onceboard.pending.mira.", "onceboard.pending.mira."]);
});

it("a store of files refuses to go over a file that is not its own", async () => {
  const { writeFileSync } = await import("node:fs");
  const store = createFileStore(directory);
  await store.open(action({ name: "checkout" }));
  const [file = ""] = readdirSync(directory);
  writeFileSync(join(directory, file), "{ half");
  await expect(store.open(action({ key: "key-2", name: "checkout" }))).rejects.toThrow("is no pending action");
});

it("silence of a server leaves the key pending", async () => {
  const clock = createFakeClock();
  server.script = [silence];
  server.script[0] = () => clock.advance(4_500);
  const store = createMemoryStore();
  await expect(client({ store, clock, schedule: ONE_TRY }).payments.create(PAYMENT)).rejects.toMatchObject({
    reason: "timeout",
  });
  expect(await store.list()).toHaveLength(1);
});
