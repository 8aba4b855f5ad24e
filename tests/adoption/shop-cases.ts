import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

/** A service that somebody wrote with the package: POST /orders runs `orders.place` once per key. */
export interface Shop {
  readonly url: string;
  /** As the owner of its database. */
  rows<Row>(text: string, ...values: unknown[]): Promise<Row[]>;
}

interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly type: string | null;
  readonly bytes: Buffer;
}

const CALLERS = 50;
/** More than the shop has: its work throws after its row is written. */
const TOO_MANY = 200;
const PATIENCE = { timeout: 30_000, interval: 100 };

/** Each operation is completed and has one order, each placed one a message too, and nothing else is there. */
const VIOLATIONS = `
  with messages as (select id, operation_id from onceboard.outbox_messages union all select id, operation_id from onceboard.outbox_history)
  select coalesce(r.operation_id, o.operation_id) as id, r.operation, r.state
  from onceboard.idempotency_requests r full join shop.orders o on o.operation_id = r.operation_id
  where r.state is distinct from 'COMPLETED' or o.operation_id is null
    or (select count(*) from messages m where m.operation_id = r.operation_id) <> (r.operation = 'orders.place')::int`;

/** Says what is to be done in the end, the last thing first, also when not everything could be started. */
export type AtEnd = (end: () => Promise<unknown>) => void;

/**
 * What every such service must hold.
 * @param open starts it
 * @param more further cases, while it runs
 */
export function shopCases(
  name: string,
  open: (atEnd: AtEnd) => Promise<Shop>,
  more: (shop: () => Shop) => void = () => undefined,
): void {
  describe(`a service on the packed package: ${name}`, () => {
    let shop: Shop;
    const ends: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      shop = await open((end) => void ends.unshift(end));
    });
    afterAll(() => endAll(ends));
    afterEach(async () => {
      expect(await shop.rows(VIOLATIONS)).toEqual([]);
    });

    async function place(key: string, command: object): Promise<Answer> {
      const answer = await fetch(`${shop.url}/orders`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(command),
      });
      const replayed = answer.headers.get("idempotent-replayed") === "true";
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, replayed, type: answer.headers.get("content-type"), bytes };
    }
    const orders = async (item: string) =>
      (await shop.rows("select operation_id from shop.orders where item = $1", item)).length;
    const newItem = () => `lamp ${randomUUID()}`;
    const everything = async () => ({
      orders: await shop.rows("select operation_id from shop.orders order by 1"),
      keys: await shop.rows("select operation_id from onceboard.idempotency_requests order by 1"),
      messages: await shop.rows(
        "select id from onceboard.outbox_messages union all select id from onceboard.outbox_history order by 1",
      ),
    });

    it("makes one row of fifty requests of one key at once", async () => {
      const [key, item] = [randomUUID(), newItem()];
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => place(key, { item, quantity: 2 })));
      const executed = answers.filter(({ status, replayed }) => status === 201 && !replayed);
      expect(executed).toHaveLength(1);
      for (const answer of answers) {
        // Who came while the first one was at work is told so, and gets the answer when it asks again.
        const known = answer.status === 409 ? await place(key, { item, quantity: 2 }) : answer;
        expect([known.status, known.bytes.toString()]).toEqual([201, executed[0]?.bytes.toString()]);
      }
      expect(await orders(item)).toBe(1);
    });

    it("replays the same bytes, and refuses another command", async () => {
      const [key, item] = [randomUUID(), newItem()];
      const first = await place(key, { item, quantity: 1 });
      const again = await place(key, { item, quantity: 1 });
      expect([first.status, first.replayed, again.status, again.replayed]).toEqual([201, false, 201, true]);
      expect(again.bytes.equals(first.bytes)).toBe(true);
      expect(again.type).toBe(first.type);
      expect((await place(key, { item, quantity: 3 })).status).toBe(409);
      expect((await place(randomUUID(), { item, quantity: "many" })).status).toBe(422);
      expect(await orders(item)).toBe(1);
    });

    it("leaves nothing of work that throws: no key, no row, no message", async () => {
      const [key, item] = [randomUUID(), newItem()];
      const before = await everything();
      expect((await place(key, { item, quantity: TOO_MANY })).status).toBe(500);
      expect(await everything()).toEqual(before);
      expect((await place(key, { item, quantity: 1 })).status).toBe(201);
    });

    more(() => shop);
  });
}

/** Goes on after one that failed. */
async function endAll(ends: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const end of ends) await end().catch((error: unknown) => failed.push(error));
  expect(failed).toEqual([]);
}

/** Waits until somebody answers there, whatever the answer is. */
export async function reachable(url: string): Promise<void> {
  await vi.waitFor(() => fetch(url), PATIENCE);
}
