import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, type ClientOptions, type OnceboardClient } from "./create-client";
import { PendingActionError } from "./errors";
import { createFileStore } from "./node-file-store";
import {
  createMemoryStore,
  createStorageStore,
  MAX_PENDING,
  type PendingAction,
  type PendingStore,
} from "./pending-store";
import { createFakeClock } from "./testing/fake-clock";
import { fakeStorage } from "./testing/fake-storage";
import {
  scriptedAnswer,
  cut,
  PAYMENT,
  scriptedProblem,
  silence,
  startRawServer,
  type RawServer,
} from "./testing/raw-server";

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
const keys = (): (string | undefined)[] => server.seen.map(({ headers }) => headers["idempotency-key"]);
const action = (fields: Partial<PendingAction> = {}): PendingAction => ({
  key: "key-1",
  baseUrl: "https://pay.example.com",
  path: "/payments",
  body: "{}",
  createdAt: 1,
  ...fields,
});

describe.each(STORES)("CLIENT-1 a key in the %s store", (_name, prepare) => {
  let openStore: () => PendingStore;
  beforeEach(() => {
    openStore = prepare();
  });

  it("is there before the first byte leaves and gone after the answer", async () => {
    const store = openStore();
    let during: readonly PendingAction[] = [];
    server.script = [
      (socket, request) =>
        void store.list().then((list) => {
          during = list;
          scriptedAnswer(201)(socket, request);
        }),
    ];
    const { key } = await client({ store }).payments.create(PAYMENT);
    expect(during).toMatchObject([{ key, path: "/payments", body: JSON.stringify(PAYMENT) }]);
    expect(await store.list()).toEqual([]);
  });

  it("is sent again after the program has ended, with the same bytes, oldest first", async () => {
    const lost = client({ store: openStore(), schedule: ONE_TRY });
    server.script = [cut, cut, cut];
    await expect(lost.refunds.create({ paymentId: "p1", amount: 400 })).rejects.toThrow();
    await expect(lost.payments.create(PAYMENT, { action: "order-1" })).rejects.toThrow();
    await expect(lost.post("/mesh", { a: 1 }, { key: "own-key" })).rejects.toThrow();
    const before = server.seen.splice(0);
    server.script = [scriptedAnswer(201), scriptedProblem(402, "payment.insufficient_funds"), cut];
    const store = openStore();
    const next = client({ store, schedule: ONE_TRY });
    const resumed = await next.resume();
    const sort = (list: readonly { path: string; body: string }[]): string[] =>
      list.map(({ path, body }) => path + body).sort();
    expect(sort(server.seen)).toEqual(sort(before));
    expect(new Set(keys())).toEqual(new Set(before.map(({ headers }) => headers["idempotency-key"])));
    expect(resumed.map(({ ok }) => ok).sort()).toEqual([false, false, true]);
    // Of a refusal without a word about the key nobody knows whether an earlier attempt had an effect.
    expect(await store.list()).toHaveLength(2);
    await next.resume();
    expect(await store.list()).toEqual([]);
  });

  it("belongs to a named action until it is settled", async () => {
    const once = client({ store: openStore(), schedule: ONE_TRY });
    server.script = [cut];
    await expect(once.payments.create(PAYMENT, { action: "checkout-1" })).rejects.toThrow();
    await expect(
      once.payments.create({ ...PAYMENT, amount: "11.00" }, { action: "checkout-1" }),
    ).rejects.toBeInstanceOf(PendingActionError);
    await once.payments.create(PAYMENT, { action: "checkout-1" });
    await once.payments.create(PAYMENT, { action: "checkout-1" });
    expect(keys().map((key) => key === keys()[0])).toEqual([true, true, false]);
  });

  it("is one when two tabs or processes name the same action at once", async () => {
    const [one, other] = [client({ store: openStore() }), client({ store: openStore() })];
    // Nobody is answered before both have asked: an action that is settled already would be a new one for whoever comes later.
    const held: (() => void)[] = [];
    const together: (typeof server.script)[number] = (socket, request) => {
      held.push(() => {
        scriptedAnswer(201)(socket, request);
      });
      if (held.length === 2) for (const release of held) release();
    };
    server.script = [together, together];
    const both = await Promise.all([
      one.payments.create(PAYMENT, { action: "checkout-2" }),
      other.payments.create(PAYMENT, { action: "checkout-2" }),
    ]);
    expect(new Set(both.map(({ key }) => key)).size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
    expect(await openStore().list()).toEqual([]);
  });

  it("is opened by exactly one of many", async () => {
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        openStore().open(action({ key: `key-${String(index)}`, name: "checkout" })),
      ),
    );
    expect(new Set(opened.map(({ key }) => key)).size).toBe(1);
    expect(await openStore().list()).toEqual([opened[0]]);
  });

  it("stays when somebody forgets an older one of the same name", async () => {
    const store = openStore();
    const older = await store.open(action({ name: "checkout" }));
    await store.remove(older);
    const newer = await store.open(action({ key: "key-2", name: "checkout" }));
    await openStore().remove(older);
    expect(await store.list()).toEqual([newer]);
  });

  it("is never sent to another API, and forgotten by its key alone", async () => {
    const store = openStore();
    await store.open(action());
    await store.open(action({ baseUrl: server.url, key: "key-2" }));
    const here = client({ store, schedule: ONE_TRY });
    expect((await here.pending()).map(({ key }) => key)).toEqual(["key-2"]);
    await here.forget("key-1");
    expect(await store.list()).toHaveLength(2);
    await here.resume();
    expect(keys()).toEqual(["key-2"]);
    expect((await store.list()).map(({ key }) => key)).toEqual(["key-1"]);
  });

  it("is kept under any name, also one that no file could have", async () => {
    const store = openStore();
    const name = "../../etc/passwd\u0000 ä".padEnd(255, "/");
    const kept = await store.open(action({ name }));
    expect((await openStore().list())[0]).toEqual(kept);
    await store.remove(kept);
    expect(await store.list()).toEqual([]);
  });
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
