import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readForm } from "./form";
import { startStripeSandbox, type StripeSandbox } from "./server";

let sandbox: StripeSandbox;
beforeAll(async () => {
  sandbox = await startStripeSandbox({ port: 0 });
});
afterAll(() => sandbox.close());
beforeEach(() => control("reset", {}));

const control = (path: string, body: unknown) =>
  fetch(`${sandbox.url}/_control/${path}`, { method: "POST", body: JSON.stringify(body) });
interface Got {
  readonly status: number;
  readonly replayed: string | null;
  readonly body: {
    readonly id?: string;
    readonly data?: { readonly id: string }[];
    readonly has_more?: boolean;
    readonly error?: { readonly type: string; readonly code?: string };
  };
}
const AUTH = { authorization: "Bearer sk_test_0123456789" };
async function post(path: string, form: string, key?: string, headers: Record<string, string> = AUTH): Promise<Got> {
  const response = await fetch(`${sandbox.url}/v1/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: form,
  });
  return got(response);
}
const get = async (path: string) => got(await fetch(`${sandbox.url}/v1/${path}`, { headers: AUTH }));
async function got(response: Response): Promise<Got> {
  const body = (await response.json()) as Got["body"];
  return { status: response.status, replayed: response.headers.get("idempotent-replayed"), body };
}
const PAY = "amount=1000&currency=eur&confirm=true&payment_method=pm_card_visa";
const pay = (key?: string, form = PAY) => post("payment_intents", form, key);
const ledger = async () =>
  (await (await fetch(`${sandbox.url}/_control/ledger`)).json()) as { payments: unknown[]; refunds: unknown[] };

describe("idempotency keys as Stripe's API v1 has them", () => {
  it("replay the first answer, also of a decline, and say so", async () => {
    const first = await pay("k1");
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(await pay("k1")).toMatchObject({ status: 200, replayed: "true", body: { id: first.body.id } });
    const declined = await pay("k2", PAY.replace("1000", "1051"));
    expect(declined.status).toBe(402);
    expect(await pay("k2", PAY.replace("1000", "1051"))).toEqual({ ...declined, replayed: "true" });
    expect((await ledger()).payments).toHaveLength(2);
  });

  it("refuse other parameters and other endpoints, in any order of the form", async () => {
    const { id } = (await pay("k1")).body;
    expect(await pay("k1", PAY.replace("1000", "2000"))).toMatchObject({
      status: 400,
      body: { error: { type: "idempotency_error" } },
    });
    expect((await post("refunds", `payment_intent=${id ?? ""}`, "k1")).body.error?.type).toBe("idempotency_error");
    const turned = PAY.split("&").reverse().join("&");
    expect(await pay("k1", turned)).toMatchObject({ status: 200, replayed: "true" });
  });

  it("keep a 500 once the execution began, and nothing before", async () => {
    await control("faults", { error_frozen: 1 });
    expect((await pay("k1")).status).toBe(500);
    expect(await pay("k1")).toMatchObject({ status: 500, replayed: "true" });
    await control("faults", { error_before: 1 });
    expect((await pay("k2")).status).toBe(500);
    expect(await pay("k2")).toMatchObject({ status: 200, replayed: null });
    expect((await pay("k3", "amount=x")).status).toBe(400);
    expect(await pay("k3")).toMatchObject({ status: 200, replayed: null });
    expect((await ledger()).payments).toHaveLength(2);
  });

  it("are in use while the first request is at work", async () => {
    await control("faults", { late_ms: 200 });
    const both = await Promise.all([pay("k1"), pay("k1")]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect((await ledger()).payments).toHaveLength(1);
  });

  it("are forgotten after 24 hours: then the key starts anew", async () => {
    const first = await pay("k1");
    await control("clock", { advanceMs: 24 * 3_600_000 - 60_000 });
    expect((await pay("k1")).body.id).toBe(first.body.id);
    await control("clock", { advanceMs: 120_000 });
    expect((await pay("k1")).body.id).not.toBe(first.body.id);
  });
});

describe("its API", () => {
  it("wants a test key and a form", async () => {
    expect((await post("payment_intents", PAY, "k", {})).status).toBe(401);
    expect((await post("payment_intents", PAY, "k", { authorization: "Bearer sk_live_0123456789" })).status).toBe(401);
    expect((await post("payment_intents", PAY, "k", { ...AUTH, "content-type": "text/plain" })).status).toBe(400);
    expect((await post("nonsense", PAY, "k")).status).toBe(404);
    expect((await get("payment_intents/pi_none")).status).toBe(404);
  });

  it("gives back no more than was taken", async () => {
    const { id = "" } = (await pay()).body;
    expect((await post("refunds", `payment_intent=${id}&amount=600`)).status).toBe(200);
    expect((await post("refunds", `payment_intent=${id}&amount=600`)).status).toBe(400);
    const rest = await post("refunds", `payment_intent=${id}`);
    expect(rest.body).toMatchObject({ amount: 400, payment_intent: id });
    expect((await post("refunds", `payment_intent=${id}`)).body.error?.code).toBe("charge_already_refunded");
    expect((await get(`refunds?payment_intent=${id}`)).body.data).toHaveLength(2);
    expect((await get(`refunds/${rest.body.id ?? ""}`)).status).toBe(200);
  });

  it("lists newest first, page by page, within a time", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await pay()).body.id ?? "");
    const first = await get("payment_intents?limit=2");
    expect(first.body.data?.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.body.has_more).toBe(true);
    const rest = await get(`payment_intents?limit=3&starting_after=${ids[1] ?? ""}`);
    expect(rest.body.data?.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(rest.body.has_more).toBe(false);
    const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
    expect((await get(`payment_intents?created[gte]=${String(tomorrow)}`)).body.data).toEqual([]);
  });

  it("searches metadata, later than it lists", async () => {
    await control("faults", { search_lag_ms: 60_000 });
    await pay("k1", `${PAY}&metadata[onceboard_key]=a%22b`);
    const query = encodeURIComponent('metadata["onceboard_key"]:"a\\"b"');
    expect((await get(`payment_intents/search?query=${query}`)).body.data).toEqual([]);
    await control("clock", { advanceMs: 60_001 });
    expect((await get(`payment_intents/search?query=${query}`)).body.data).toHaveLength(1);
    expect((await get("payment_intents/search?query=amount:1")).status).toBe(400);
  });

  it("refuses faults that it does not know", async () => {
    expect((await control("faults", { explode: 1 })).status).toBe(400);
    expect((await control("faults", { slow_ms: -1 })).status).toBe(400);
    expect((await control("faults", { down: true })).status).toBe(200);
    await expect(get("payment_intents")).rejects.toThrow();
  });
});

describe("a form", () => {
  it("unfolds objects and lists, and refuses what is malformed", () => {
    expect(readForm("a=1&m[x]=2&m[y][z]=3&l[0]=p&l[1]=q")).toEqual({
      a: "1",
      m: { x: "2", y: { z: "3" } },
      l: ["p", "q"],
    });
    expect(readForm("a[=1")).toBeUndefined();
    expect(readForm("a=1&a[b]=2")).toBeUndefined();
    expect(readForm("__proto__[polluted]=1")).toBeDefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it("runs as a process of its own and ends when it is told to", async () => {
  const child = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "main.ts")], {
    env: { ...process.env, STRIPE_SANDBOX_PORT: "0" },
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0] ?? "";
  expect((await fetch(`${url}/_control/health`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
}, 20_000);
