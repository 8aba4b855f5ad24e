import { request as nodeRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import express from "express";
import fastify, { type FastifyRequest } from "fastify";
import { Hono, type Context } from "hono";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { idempotent as ofExpress } from "./express";
import { idempotent as ofFastify } from "./fastify";
import { idempotent as ofHono } from "./hono";
import { idempotent as ofNext } from "./next";
import { createOnceboard, type Onceboard } from "./once/create-onceboard";
import type { WorkAnswer } from "./once/answer";
import { startOnceboardTests, type OnceboardTestServer, type TestOnceboard } from "./testing";
import type { PgClient } from "./transactions/pg";
import type { RouteWork } from "./wire/idempotent-route";

const SET_UP = "create schema shop; create table shop.orders (operation_id uuid not null, item text not null)";
const PLACE = "orders.place";
const CALLERS = 50;
const LIMIT = 2_000;
const PATH = "/shops/north/orders";

const Order = z.strictObject({ item: z.string(), quantity: z.number().int().default(1) });
type Order = z.output<typeof Order>;
type Place = RouteWork<PgClient, unknown, Order>;

let server: OnceboardTestServer;
let test: TestOnceboard;
let onceboard: Onceboard<PgClient>;
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({ setUp: SET_UP });
  const kinds = [{ name: PLACE, label: "Order" }];
  onceboard = createOnceboard({ ...test.secrets, pool: test.pool, service: "shop", kinds, logLevel: "silent" });
});
afterAll(async () => {
  await onceboard.close();
  await test.drop();
  await server.stop();
});

/** What the service does before the route: its sign-in, for example. */
let before: (raw: IncomingMessage) => Promise<void> = () => Promise.resolve();
/** What the route of the running server does, and what its framework's own error handler was given. */
let work: Place;
let thrown: unknown[] = [];
let shops: unknown[] = [];

const place: Place = async ({ command, principal }, tx, { operationId }) => {
  await tx.query("insert into shop.orders (operation_id, item) values ($1, $2)", [operationId, command.item]);
  return {
    status: 201,
    body: { orderId: operationId, item: command.item, quantity: command.quantity, by: principal },
    headers: { Location: `/orders/${operationId}`, ETag: '"1"', "Content-Language": "en" },
    resource: { type: "order", id: operationId },
  };
};

interface Running {
  readonly port: number;
  close(): Promise<unknown>;
}
const common = { operation: PLACE, tenant: () => "acme", schema: Order, maxBodyBytes: LIMIT };
const CLIENT = "x-client";

function hono(): Promise<Running> {
  const app = new Hono();
  const route = ofHono(
    onceboard,
    { ...common, principal: (c: Context) => c.req.header(CLIENT) ?? "till" },
    (request, tx, claim) => {
      shops.push(request.native.req.param("shop"));
      return work(request, tx, claim);
    },
  );
  app.post("/shops/:shop/orders", route);
  app.onError((error, c) => {
    thrown.push(error);
    return c.text("own error page", 500);
  });
  return listening(app.fetch);
}

function expressApp(parser?: express.RequestHandler): Promise<Running> {
  const app = express();
  app.use(async (request, _response, next) => {
    await before(request);
    next();
  });
  if (parser !== undefined) app.use(parser);
  app.post(
    "/shops/:shop/orders",
    ofExpress(
      onceboard,
      { ...common, principal: (request: express.Request) => request.get(CLIENT) ?? "till" },
      (request, tx, claim) => {
        shops.push(request.native.params["shop"]);
        return work(request, tx, claim);
      },
    ),
  );
  app.use((error: unknown, _request: express.Request, response: express.Response, next: express.NextFunction) => {
    thrown.push(error);
    if (response.headersSent) next(error);
    else response.status(500).send("own error page");
  });
  return new Promise((resolve) => {
    const listener = app.listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as AddressInfo;
      resolve({ port, close: () => new Promise((closed) => listener.close(closed)) });
    });
  });
}

interface ShopPath {
  readonly shop: string;
}

async function fastifyApp(): Promise<Running> {
  const app = fastify();
  app.addHook("onRequest", ({ raw }) => before(raw));
  app.setErrorHandler((error, _request, reply) => {
    thrown.push(error);
    return reply.code(500).send("own error page");
  });
  app.post<{ Params: ShopPath }>(
    "/shops/:shop/orders",
    ofFastify(
      onceboard,
      {
        ...common,
        principal: ({ headers }: FastifyRequest<{ Params: ShopPath }>) => String(headers[CLIENT] ?? "till"),
      },
      (request, tx, claim) => {
        shops.push(request.native.params.shop);
        return work(request, tx, claim);
      },
    ),
  );
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  return { port: Number(new URL(address).port), close: () => app.close() };
}

/** As Next calls a route handler: a request, and the parameters of its path. */
function next(): Promise<Running> {
  const POST = ofNext(
    onceboard,
    { ...common, principal: ({ request }) => request.headers.get(CLIENT) ?? "till" },
    (request, tx, claim) => {
      shops.push(request.native.params["shop"]);
      return work(request, tx, claim);
    },
  );
  return listening(async (request: Request) => {
    try {
      const [, , shop] = new URL(request.url).pathname.split("/");
      return await POST(request, { params: Promise.resolve({ shop }) });
    } catch (error) {
      thrown.push(error);
      return new Response("own error page", { status: 500 });
    }
  });
}

function listening(fetch: (request: Request) => Response | Promise<Response>): Promise<Running> {
  return new Promise((resolve) => {
    const listener: ServerType = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve({ port, close: () => new Promise((closed) => listener.close(closed)) });
    });
  });
}

const SERVERS: Readonly<Record<string, () => Promise<Running>>> = {
  Hono: hono,
  Express: () => expressApp(),
  "Express with a parser of its own": () => expressApp(express.json()),
  Fastify: fastifyApp,
  "Next's route handlers": next,
};

const WAIT = { timeout: 10_000, interval: 20 };

function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly json: Record<string, unknown>;
}

describe.each(Object.keys(SERVERS))("idempotent() of %s", (name) => {
  let running: Running;
  let number = 0;
  beforeAll(async () => {
    running = await (SERVERS[name]?.() ?? expect.fail("no server"));
    return () => running.close();
  });
  afterEach(async () => {
    [work, thrown, shops, before] = [place, [], [], () => Promise.resolve()];
    await test.pool.query({ text: "truncate shop.orders" });
    await test.pool.query({ text: "delete from onceboard.idempotency_requests" });
  });
  work = place;

  const newKey = () => `${name.replaceAll(/\W/g, "-")}-${String((number += 1))}`;
  /** By Node's own client, which sends a header as often as it is told, and a body of unknown length. */
  function post(
    headers: Readonly<Record<string, string | string[]>>,
    body: unknown = { item: "pen" },
    { path = PATH, chunked = false }: { readonly path?: string; readonly chunked?: boolean } = {},
  ): Promise<Answer> {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const length = chunked ? {} : { "content-length": String(bytes.length) };
    return new Promise((resolve, reject) => {
      const sent = nodeRequest(
        {
          host: "127.0.0.1",
          port: running.port,
          path,
          method: "POST",
          agent: false,
          headers: { "content-type": "application/json", ...length, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const whole = Buffer.concat(chunks);
            const isJson = /json/.test(response.headers["content-type"] ?? "");
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: whole,
              json: isJson ? (JSON.parse(whole.toString()) as Record<string, unknown>) : {},
            });
          });
        },
      );
      sent.on("error", reject);
      if (chunked) sent.write(bytes.subarray(0, 1));
      sent.end(chunked ? bytes.subarray(1) : bytes);
    });
  }
  /** A request whose caller may leave at any moment. @param announced bytes of the body, if not those that are sent */
  function sendHead(key: string, body: string, announced = body.length): Socket {
    const socket = connect(running.port, "127.0.0.1");
    socket.on("error", () => undefined);
    const head = [
      `POST ${PATH} HTTP/1.1`,
      "host: shop.test",
      `idempotency-key: ${key}`,
      "content-type: application/json",
    ];
    socket.write(`${[...head, `content-length: ${String(announced)}`].join("\r\n")}\r\n\r\n${body}`);
    return socket;
  }
  const keyed = (key: string, more: Readonly<Record<string, string>> = {}) => ({ "idempotency-key": key, ...more });
  const count = async (from: string): Promise<number> => {
    const { rows } = await test.pool.query<{ n: number }>({ text: `select count(*)::int as n from ${from}` });
    return rows[0]?.n ?? -1;
  };
  const left = async () => [await count("shop.orders"), await count("onceboard.idempotency_requests")];

  it("executes once and replays the bytes with the headers that are kept", async () => {
    const key = newKey();
    const first = await post(keyed(key));
    expect(first.status).toBe(201);
    expect(first.headers).toMatchObject({ "idempotency-status": "stored", "idempotency-key": key });
    expect(shops).toEqual(["north"]);
    const again = await post(keyed(`"${key}"`));
    expect(again.status).toBe(201);
    expect(again.body.equals(first.body)).toBe(true);
    const kept = ["content-type", "content-language", "location", "etag", "operation-id", "content-length"];
    for (const header of kept) expect([header, again.headers[header]]).toEqual([header, first.headers[header]]);
    expect(again.headers).toMatchObject({
      "idempotency-status": "replayed",
      "idempotent-replayed": "true",
      etag: '"1"',
      location: `/orders/${String(first.json["orderId"])}`,
    });
    expect(await left()).toEqual([1, 1]);
  });

  it("makes one row of fifty requests at once", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => post(keyed(key))));
    const executed = answers.filter(({ headers }) => headers["idempotency-status"] === "stored");
    expect(executed).toHaveLength(1);
    for (const answer of answers) {
      const known = answer.status === 409 ? await post(keyed(key)) : answer;
      expect([known.status, known.body.toString()]).toEqual([201, executed[0]?.body.toString()]);
    }
    expect(await left()).toEqual([1, 1]);
  });

  it.each([
    ["no key", {}, "idempotency.key_missing"],
    ["an empty key", { "idempotency-key": "" }, "idempotency.key_invalid"],
    ["two keys", { "idempotency-key": ["one", "two"] }, "idempotency.key_invalid"],
    ["a key with a parameter", { "idempotency-key": '"one";v=1' }, "idempotency.key_invalid"],
    ["a key that is too long", { "idempotency-key": "k".repeat(256) }, "idempotency.key_invalid"],
  ])("refuses %s, records nothing, and names no page that the service does not have", async (_what, headers, code) => {
    const answer = await post(headers);
    expect(answer).toMatchObject({ status: 400, json: { code } });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.headers).not.toHaveProperty("link");
    expect(answer.body.toString()).not.toContain("/api/v1");
    expect(await left()).toEqual([0, 0]);
  });

  it("leaves nothing of work that throws, and lets the service's own handler answer it", async () => {
    const key = newKey();
    const outOfStock = new Error("none left");
    work = async (request, tx, claim) => {
      await place(request, tx, claim);
      throw outOfStock;
    };
    const failed = await post(keyed(key));
    expect([failed.status, failed.body.toString()]).toEqual([500, "own error page"]);
    expect(thrown).toEqual([outOfStock]);
    expect(await left()).toEqual([0, 0]);
    work = place;
    expect(await post(keyed(key))).toMatchObject({ status: 201 });
  });

  it("names the fields of a conflict; another path is another command", async () => {
    const key = newKey();
    await post(keyed(key));
    const conflict = await post(keyed(key), { item: "pen", quantity: 2 });
    const code = "idempotency.payload_mismatch";
    expect(conflict).toMatchObject({ status: 409, json: { code, differingFields: ["quantity"], safeNewKey: true } });
    const elsewhere = await post(keyed(key), { item: "pen" }, { path: "/shops/south/orders" });
    expect(elsewhere).toMatchObject({ status: 409, json: { code, differingFields: [":path"] } });
    const queried = await post(keyed(key), { item: "pen" }, { path: `${PATH}?gift=yes` });
    expect(queried).toMatchObject({ status: 409, json: { code, differingFields: [":query"] } });
    const stranger = await post(keyed(key, { [CLIENT]: "stranger" }));
    expect(stranger).toMatchObject({ status: 409, json: { code, differingFields: [] } });
    expect(stranger.headers).not.toHaveProperty("operation-id");
    expect(await left()).toEqual([1, 1]);
  });

  it.each([
    ["announced", false],
    ["not announced", true],
  ])("refuses a body over the limit whose length is %s", async (_what, chunked) => {
    const answer = await post(keyed(newKey()), { item: "x".repeat(LIMIT) }, { chunked });
    expect(answer).toMatchObject({ status: 413, json: { code: "validation.too_large" } });
    expect(await left()).toEqual([0, 0]);
    expect(await post(keyed(newKey()), { item: "x".repeat(LIMIT / 2) }, { chunked })).toMatchObject({ status: 201 });
  });

  it.each([
    ["unknown members", { item: "pen", colour: "red" }, {}, 422, "validation.body"],
    ["no body", "", {}, 422, "validation.body"],
    ["a form", "item=pen", { "content-type": "application/x-www-form-urlencoded" }, 415, "validation.content_type"],
    ["a type that nobody knows", "pen", { "content-type": "pen" }, 415, "validation.content_type"],
  ])("refuses %s in the profile of the route", async (_what, body, headers, status, code) => {
    expect(await post(keyed(newKey(), headers), body)).toMatchObject({ status, json: { code } });
    expect(thrown).toEqual([]);
    expect(await left()).toEqual([0, 0]);
  });

  // A parser of the service's own says in its own way what it cannot read.
  it.skipIf(name.includes("parser")).each([
    ["what is no JSON", '{"item":', "validation.json"],
    ["a member twice", '{"item":"pen","item":"ink"}', "validation.json"],
    ["__proto__", '{"item":"pen","__proto__":{}}', "validation.json"],
    ["what is not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "validation.encoding"],
  ])("refuses %s", async (_what, body, code) => {
    expect(await post(keyed(newKey()), body)).toMatchObject({ status: 400, json: { code } });
    expect(thrown).toEqual([]);
    expect(await left()).toEqual([0, 0]);
  });

  it.each([
    ["a stream", () => ({ body: new ReadableStream() }), "answer.streaming"],
    ["a response", () => new Response("made"), "answer.streaming"],
    ["an answer without a body in it", () => new Response(null, { status: 204 }), "answer.streaming"],
    ["a cookie", () => ({ headers: { "set-cookie": "a=b" } }), "answer.header"],
    ["nothing", () => undefined, "answer.sent"],
  ])("refuses %s as an answer, and takes the work back", async (_what, answer, code) => {
    work = async (request, tx, claim) => {
      await place(request, tx, claim);
      return answer() as unknown as WorkAnswer;
    };
    expect(await post(keyed(newKey()))).toMatchObject({ status: 500 });
    expect(thrown).toMatchObject([{ name: "UsageError", code }]);
    expect(await left()).toEqual([0, 0]);
  });

  it("keeps what it did for a caller that did not wait for the answer", async () => {
    const key = newKey();
    const [begun, gone] = [gate(), gate()];
    work = async (request, tx, claim) => {
      begun.open();
      await gone.opened;
      return place(request, tx, claim);
    };
    const left = sendHead(key, '{"item":"pen"}');
    await begun.opened;
    left.destroy();
    gone.open();
    await vi.waitFor(async () => expect(await count("shop.orders")).toBe(1), WAIT);
    work = place;
    expect(await post(keyed(key))).toMatchObject({ status: 201, headers: { "idempotency-status": "replayed" } });
  });

  // A parser of the service's own tells what it could not read.
  it.runIf(["Express", "Fastify"].includes(name))(
    "ends a request whose caller left before its body was read",
    async () => {
      const ended = gate();
      const received = gate();
      before = async (raw) => {
        received.open();
        await new Promise((resolve) => raw.once("close", resolve));
        ended.open();
      };
      const left = sendHead(newKey(), '{"item":', 100);
      await received.opened;
      left.destroy();
      await ended.opened;
      await vi.waitFor(() => expect(thrown).toHaveLength(1), WAIT);
      expect(thrown).toMatchObject([{ message: "the connection closed before the body was whole" }]);
      expect(await count("onceboard.idempotency_requests")).toBe(0);
    },
  );

  it("replays an answer without a body", async () => {
    const key = newKey();
    work = async (request, tx, claim) => {
      await place(request, tx, claim);
      return { status: 204 };
    };
    for (const status of ["stored", "replayed"]) {
      const answer = await post(keyed(key));
      expect([answer.status, answer.body.length, answer.headers["idempotency-status"]]).toEqual([204, 0, status]);
    }
    expect(await left()).toEqual([1, 1]);
  });

  it("leaves the body out where the caller asks for it, first and again", async () => {
    const key = newKey();
    for (const status of ["stored", "replayed"]) {
      const answer = await post(keyed(key, { prefer: "return=minimal" }));
      expect([answer.status, answer.body.length, answer.headers["idempotency-status"]]).toEqual([201, 0, status]);
    }
  });
});
