import { deepEqual, equal, rejects } from "node:assert/strict";
import { createClient, type ClientOptions, type OnceboardClient } from "../create-client";
import { PendingActionError } from "../errors";
import type { PendingAction, PendingStore } from "../pending-store";
import { createFakeClock } from "./fake-clock";
import { cut, PAYMENT, scriptedAnswer, scriptedProblem, type RawServer, type ServerScript } from "./raw-server";

export interface StoreBench {
  readonly server: RawServer;
  /** Each is another store over the same things, as two tabs or processes have. */
  readonly openStore: () => PendingStore;
}

export interface StoreCase {
  readonly title: string;
  readonly check: (bench: StoreBench) => Promise<void>;
}

const ONE_TRY = { maxAttempts: 1 };
/** Callers that open one action at once. */
const MANY = 20;

export function pendingAction(fields: Partial<PendingAction> = {}): PendingAction {
  return { key: "key-1", baseUrl: "https://pay.example.com", path: "/payments", body: "{}", createdAt: 1, ...fields };
}

function clientOf({ server }: StoreBench, options: Partial<ClientOptions>): OnceboardClient {
  return createClient({ baseUrl: server.url, clock: createFakeClock(), ...options });
}

const keysOf = ({ server }: StoreBench): (string | undefined)[] =>
  server.seen.map(({ headers }) => headers["idempotency-key"]);

/** What every store does, in whatever it keeps its actions: for any runner of tests. */
export const STORE_CONTRACT: readonly StoreCase[] = [
  {
    title: "is there before the first byte leaves and gone after the answer",
    check: async (bench) => {
      const store = bench.openStore();
      let during: readonly PendingAction[] = [];
      bench.server.script = [
        (socket, request) =>
          void store.list().then((list) => {
            during = list;
            scriptedAnswer(201)(socket, request);
          }),
      ];
      const { key } = await clientOf(bench, { store }).payments.create(PAYMENT);
      deepEqual(
        during.map(({ key, path, body }) => [key, path, body]),
        [[key, "/payments", JSON.stringify(PAYMENT)]],
      );
      deepEqual(await store.list(), []);
    },
  },
  {
    title: "is sent again after the program has ended, with the same bytes, oldest first",
    check: async (bench) => {
      const { server } = bench;
      const lost = clientOf(bench, { store: bench.openStore(), schedule: ONE_TRY });
      server.script = [cut, cut, cut];
      await rejects(lost.refunds.create({ paymentId: "p1", amount: 400 }));
      await rejects(lost.payments.create(PAYMENT, { action: "order-1" }));
      await rejects(lost.post("/mesh", { a: 1 }, { key: "own-key" }));
      const before = server.seen.splice(0);
      server.script = [scriptedAnswer(201), scriptedProblem(402, "payment.insufficient_funds"), cut];
      const store = bench.openStore();
      const next = clientOf(bench, { store, schedule: ONE_TRY });
      const resumed = await next.resume();
      const sent = (list: readonly { path: string; body: string }[]) =>
        list.map(({ path, body }) => path + body).sort();
      deepEqual(sent(server.seen), sent(before));
      deepEqual(new Set(keysOf(bench)), new Set(before.map(({ headers }) => headers["idempotency-key"])));
      deepEqual(resumed.map(({ ok }) => ok).sort(), [false, false, true]);
      // Of a refusal without a word about the key nobody knows whether an earlier attempt had an effect.
      equal((await store.list()).length, 2);
      await next.resume();
      deepEqual(await store.list(), []);
    },
  },
  {
    title: "is listed oldest first",
    check: async ({ openStore }) => {
      const store = openStore();
      for (const [key, createdAt] of [["b", 2] as const, ["c", 2] as const, ["z", 1] as const, ["a", 10] as const])
        await store.open(pendingAction({ key, createdAt }));
      deepEqual(
        (await openStore().list()).map(({ key }) => key),
        ["z", "b", "c", "a"],
      );
    },
  },
  {
    title: "belongs to a named action until it is settled",
    check: async (bench) => {
      const once = clientOf(bench, { store: bench.openStore(), schedule: ONE_TRY });
      bench.server.script = [cut];
      await rejects(once.payments.create(PAYMENT, { action: "checkout-1" }));
      const other = once.payments.create({ ...PAYMENT, amount: "11.00" }, { action: "checkout-1" });
      await rejects(other, PendingActionError);
      await once.payments.create(PAYMENT, { action: "checkout-1" });
      await once.payments.create(PAYMENT, { action: "checkout-1" });
      const [first, ...later] = keysOf(bench);
      deepEqual(
        later.map((key) => key === first),
        [true, false],
      );
    },
  },
  {
    title: "is one when two tabs or processes name the same action at once",
    check: async (bench) => {
      const clients = [1, 2].map(() => clientOf(bench, { store: bench.openStore() }));
      // Nobody is answered before both have asked: an action that is settled already would be a new one for whoever comes later.
      const held: (() => void)[] = [];
      const together: ServerScript = (socket, request) => {
        held.push(() => {
          scriptedAnswer(201)(socket, request);
        });
        if (held.length === clients.length) for (const release of held) release();
      };
      bench.server.script = clients.map(() => together);
      const both = await Promise.all(clients.map((one) => one.payments.create(PAYMENT, { action: "checkout-2" })));
      equal(new Set(both.map(({ key }) => key)).size, 1);
      equal(new Set(keysOf(bench)).size, 1);
      deepEqual(await bench.openStore().list(), []);
    },
  },
  {
    title: "is opened by exactly one of many",
    check: async ({ openStore }) => {
      const names = Array.from({ length: MANY }, (_, index) => `key-${String(index)}`);
      const opened = await Promise.all(names.map((key) => openStore().open(pendingAction({ key, name: "checkout" }))));
      equal(new Set(opened.map(({ key }) => key)).size, 1);
      deepEqual(await openStore().list(), [opened[0]]);
    },
  },
  {
    title: "stays when somebody forgets an older one of the same name",
    check: async ({ openStore }) => {
      const store = openStore();
      const older = await store.open(pendingAction({ name: "checkout" }));
      await store.remove(older);
      const newer = await store.open(pendingAction({ key: "key-2", name: "checkout" }));
      await openStore().remove(older);
      deepEqual(await store.list(), [newer]);
    },
  },
  {
    title: "is never sent to another API, and forgotten by its key alone",
    check: async (bench) => {
      const store = bench.openStore();
      await store.open(pendingAction());
      await store.open(pendingAction({ baseUrl: bench.server.url, key: "key-2" }));
      const here = clientOf(bench, { store, schedule: ONE_TRY });
      deepEqual(
        (await here.pending()).map(({ key }) => key),
        ["key-2"],
      );
      await here.forget("key-1");
      equal((await store.list()).length, 2);
      await here.resume();
      deepEqual(keysOf(bench), ["key-2"]);
      deepEqual(
        (await store.list()).map(({ key }) => key),
        ["key-1"],
      );
    },
  },
  {
    title: "is kept under any name, also one that no file could have",
    check: async ({ openStore }) => {
      const store = openStore();
      const name = "../../etc/passwd\u0000 ä".padEnd(255, "/");
      const kept = await store.open(pendingAction({ name }));
      deepEqual((await openStore().list())[0], kept);
      await store.remove(kept);
      deepEqual(await store.list(), []);
    },
  },
];
