import { setTimeout as delay } from "node:timers/promises";

const LIMIT_MS = 180_000;
const POLL_MS = 250;

/** One key twice: the same bytes, a login that owns nothing, and a worker that beats. @throws Error in one sentence when it is not so */
export async function orderTwice(baseUrl: string, key: string): Promise<void> {
  const order = () =>
    fetch(`${baseUrl}/api/v1/orders`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "order-1" },
      body: JSON.stringify({ item: "lamp", quantity: 2 }),
    });
  const [first, second] = [await order(), await order()];
  expectEqual("the first answer", first.status, 201);
  expectEqual("the answer to its repeat", second.headers.get("idempotent-replayed"), "true");
  expectEqual("its bytes", await second.text(), await first.text());
  const ready = await fetch(`${baseUrl}/api/health/ready`);
  const { notes = [] } = (await ready.json()) as { readonly notes?: readonly string[] };
  expectEqual("readiness", ready.status, 200);
  expectEqual("what readiness notes of the login", notes.filter((text) => /login|direct writes/.test(text)).join(), "");
  const until = Date.now() + LIMIT_MS;
  while (Date.now() < until) {
    if ((await fetch(`${baseUrl}/api/health/worker`)).status === 200) return;
    await delay(POLL_MS);
  }
  throw new Error("no worker beat");
}

/** @throws Error in one sentence when they are not the same */
export function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what} is ${String(found)} instead of ${String(wanted)}`);
}
