import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERRORS } from "@/tests/support/errors";
import { CATEGORIES } from "./profiles/names";
import type { ErrorRow } from "./docs/errors";
import { PROFILES } from "./docs/profiles";
import { HOSTS, openHost, type TestHost } from "./testing/host";
import { openTill, payment, tillOf, type Till } from "./testing/till";

type Json = Readonly<Record<string, unknown>>;

/** Every `$ref` of a document, wherever it is. */
function refsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === "$ref" ? [String(member)] : refsOf(member)));
}

/** Every error that an answer of a document names, in every error format; what several calls have is named once. */
function codesOf(document: Json): string[] {
  const used = new Set(refsOf(document["paths"]));
  const responses = (document["components"] as Json)["responses"] as Json;
  const named = (value: unknown): string[] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([name, member]) => (name === "x-codes" ? (member as string[]) : named(member)));
  return Object.entries(responses).flatMap(([name, response]) =>
    used.has(`#/components/responses/${name}`) ? named(response) : [],
  );
}

/** What is harmless twice without the header. */
const UNKEYED = /^\/(?:events\/|mesh$|admin\/(?:step-up|two-factor\/|attachments\/look$))/;
const MESH_ONLY = new Set(["validation.envelope", "validation.extension", "function.not_found"]);
/** What no route here answers: the server says it before there is a request, there is no route, or none has such parameters. */
const ELSEWHERE = [
  "validation.request",
  "validation.method",
  "validation.headers",
  "transient.request_timeout",
  "route.not_found",
];

function resolve(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (at, name) => (at as Json | undefined)?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
}

/** Ids differ with every request; everything else is as documented. */
function withoutIds(value: unknown): unknown {
  const text = JSON.stringify(value);
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}/g, "id"));
}

describe.each(HOSTS)("the surface of %s", (name) => {
  let host: TestHost;
  let till: Till;
  beforeAll(async () => {
    host = await openHost(name);
    till = await openTill(host);
  });
  afterAll(() => host.close());

  it("API-1 the document declares the header, its format and window, and every error", async () => {
    const answer = await host.call({ path: "/api/v1/openapi.json" });
    const document = answer.json ?? {};
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(document["openapi"]).toMatch(/^3\.1\./);
    for (const ref of refsOf(document)) expect(resolve(document, ref), ref).toBeDefined();
    const key = resolve(document, "#/components/parameters/IdempotencyKey") as Json;
    expect(key).toMatchObject({
      name: "Idempotency-Key",
      in: "header",
      required: true,
      "x-idempotency-window": "PT24H",
    });
    const paths = document["paths"] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    const ids = operations.map(({ operation }) => operation["operationId"]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, method, operation } of operations) {
      const parameters = (operation["parameters"] as Json[]).map((parameter) =>
        String(parameter["$ref"] ?? parameter["name"]),
      );
      for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) expect(parameters).toContain(parameter);
      const keyed = method === "post" && !UNKEYED.test(path);
      expect(parameters.includes("#/components/parameters/IdempotencyKey")).toBe(keyed);
      if (keyed)
        expect(Object.keys(operation["responses"] as Json)).toEqual(
          expect.arrayContaining(["400", "401", "403", "409", "410", "413", "415", "422", "429", "503"]),
        );
    }
    const declared = new Set(codesOf(document));
    const missing = ERRORS.filter(({ code, names }) => !declared.has(code) && !declared.has(names.mesh));
    expect(missing.map(({ code }) => code)).toEqual(ELSEWHERE);
  });

  it("API-2 the key's header has a format that takes what the server takes", async () => {
    const document = (await host.call({ path: "/api/v1/openapi.json" })).json;
    const key = resolve(document, "#/components/parameters/IdempotencyKey") as {
      readonly schema: { readonly pattern: string };
      readonly examples: Readonly<Record<string, { readonly value: string }>>;
    };
    const format = new RegExp(key.schema.pattern, "u");
    const good = [...Object.values(key.examples).map(({ value }) => value), "x", "k".repeat(255), '"say \\"once\\""'];
    const bad = [
      "",
      '""',
      "k".repeat(256),
      "a b",
      "a,b",
      "a;b",
      '"a',
      'a"b',
      '"a";v=1',
      '"a\\b"',
      "caf\u00e9",
      `"${"q".repeat(256)}"`,
    ];
    for (const value of good) {
      expect(value).toMatch(format);
      // Bare and quoted are one key, so a later one may conflict; a key it is.
      expect((await till.post("/payments", payment(), { key: value })).status).not.toBe(400);
    }
    for (const value of bad) {
      expect(value).not.toMatch(format);
      expect((await till.post("/payments", payment(), { key: value })).status).toBe(400);
    }
  });

  it("PROFILE-1 every error has a class, a retryability and a name in every dress, in the document and on its page", async () => {
    const document = (await host.call({ path: "/api/v1/openapi.json" })).json ?? {};
    const rows = document["x-errors"] as readonly ErrorRow[];
    expect(rows).toEqual(JSON.parse(JSON.stringify(ERRORS)));
    expect(new Set(rows.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
    const page = (await host.call({ path: "/api/v1/docs" })).text;
    const named = new Set(codesOf(document));
    for (const { code, names, category, retryable } of rows) {
      if (["RATE_LIMIT", "TRANSIENT"].includes(category)) expect(retryable, code).toBe(true);
      if (["VALIDATION", "AUTH", "CONFLICT", "PROVIDER"].includes(category)) expect(retryable, code).toBe(false);
      for (const name of Object.values(names)) expect(page).toContain(`<code>${name}</code>`);
      if (ELSEWHERE.includes(code)) continue;
      const refusals = MESH_ONLY.has(code) ? [names.mesh] : [names.playbook, names.fault, names.article];
      for (const name of refusals) expect([...named], name).toContain(name);
    }
    const taxonomy = [
      "CONFLICT.idempotency.payload_mismatch",
      "RATE_LIMIT.exceeded",
      "DEPENDENCY.timeout",
      "DEPENDENCY.unavailable",
      "PROVIDER.duplicate",
    ];
    expect(rows.map(({ names }) => names.playbook)).toEqual(expect.arrayContaining(taxonomy));
  });

  it.each(PROFILES)("documents the profile $name as it is", async ({ name: profile, example, type, mismatch }) => {
    const own = tillOf(host, await host.key(["payments"], { profile }));
    const key = randomUUID();
    const body = payment();
    await own.post("/payments", body, { key });
    const answer = await own.post("/payments", { ...body, amount: "100.00" }, { key });
    expect(mismatch.startsWith(String(answer.status))).toBe(true);
    expect(answer.headers["content-type"]).toBe(type);
    expect(withoutIds(answer.json)).toEqual(withoutIds(example));
    const document = (await host.call({ path: "/api/v1/openapi.json" })).json ?? {};
    const results = document["x-profiles"] as readonly { readonly name: string; readonly example: unknown }[];
    expect(results.find((row) => row.name === profile)?.example).toEqual(example);
  });

  it("API-3 documents the mesh as the contract that checks it", async () => {
    const document = (await host.call({ path: "/api/v1/openapi.json" })).json ?? {};
    const call = resolve(document, "#/paths/~1mesh/post") as Json;
    expect(Object.keys(call["responses"] as Json)).toEqual(
      expect.arrayContaining([
        "200",
        "400",
        "401",
        "403",
        "404",
        "409",
        "410",
        "413",
        "415",
        "422",
        "429",
        "503",
        "504",
      ]),
    );
    const request = resolve(document, "#/components/schemas/MeshRequest") as { readonly examples: readonly unknown[] };
    const answer = await host.call({
      method: "POST",
      path: "/api/v1/mesh",
      headers: [
        ["authorization", `Bearer ${till.apiKey}`],
        ["content-type", "application/json"],
      ],
      body: JSON.stringify(request.examples[0]),
    });
    expect(answer.status).toBe(200);
    const known = resolve(document, "#/components/schemas/MeshAnswer/properties") as Json;
    expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(answer.json ?? {})));
  });

  it("shows the document as a page that runs nothing and names every error", async () => {
    const answer = await host.call({ path: "/api/v1/docs" });
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    expect(answer.text).not.toMatch(/<script|https?:\/\/|style=/);
    for (const { code } of ERRORS) expect(answer.text).toContain(`id="error-${code.replaceAll(".", "-")}"`);
    expect(answer.text).toContain('id="idempotency-key"');
  });

  it("PROFILE-2 a problem's type is an address on that page", async () => {
    const answer = await till.post("/payments", {}, { key: null });
    const [path, anchor] = String(answer.json?.["type"]).split("#");
    expect((await host.call({ path: path ?? "" })).text).toContain(`id="${anchor ?? "?"}"`);
  });

  it("METRIC-1 METRIC-3 counts answers without naming tenants, clients or keys", async () => {
    const key = randomUUID();
    const body = payment();
    await till.post("/payments", body, { key });
    await till.post("/payments", body, { key });
    await till.post("/payments", { ...body, amount: "7.00" }, { key });
    const answer = await host.call({ path: "/api/metrics" });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("text/plain");
    for (const outcome of ["created", "replayed", "conflict"]) {
      expect(answer.text).toMatch(
        new RegExp(`idempotency_requests_total\\{operation="payments.create",outcome="${outcome}"\\} [1-9]`),
      );
    }
    for (const gauge of [
      "idempotency_in_progress",
      "idempotency_unknown",
      "idempotency_in_progress_age_max_seconds",
      "outbox_pending",
      "outbox_oldest_age_seconds",
      "inbox_pending",
      "partition_days_ahead",
      'dead_letter_count\\{side="inbox"\\}',
      "database_up",
    ]) {
      expect(answer.text).toMatch(new RegExp(`^${gauge} [0-9.]+$`, "m"));
    }
    expect(answer.text).toMatch(
      /http_server_request_duration_seconds_count\{http_route="\/api\/v1\/payments",http_request_method="POST",http_response_status_code="201"\} [1-9]/,
    );
    expect(answer.text).not.toMatch(new RegExp([host.tenant, "till", key].join("|")));
  });

  it("HTTP-8 is alive and ready without a worker, which is a check of its own", async () => {
    expect((await host.call({ path: "/api/health/live" })).json).toEqual({ status: "live" });
    const asked = async () => {
      const ready = await host.call({ path: "/api/health/ready" });
      const worker = await host.call({ path: "/api/health/worker" });
      return [ready.status, ready.json?.["missing"], ready.json?.["notes"], worker.status, worker.json];
    };
    const away = [
      200,
      [],
      [expect.stringMatching(/^No worker is alive: requests are answered/)],
      503,
      { worker: "missing" },
    ];
    await host.rows("delete from onceboard.worker_heartbeats");
    expect(await asked()).toEqual(away);
    await host.rows(
      "insert into onceboard.worker_heartbeats (loop, instance, at, interval_ms) values ('recover', 'test', clock_timestamp() - interval '1 hour', 1000)",
    );
    expect(await asked()).toEqual(away);
    await host.rows("update onceboard.worker_heartbeats set at = clock_timestamp()");
    expect(await asked()).toEqual([200, [], [], 200, { worker: "ok" }]);
    expect((await host.call({ path: "/api/health/ready" })).json).toEqual({
      status: "ready",
      missing: [],
      parts: { database: "ok", migrations: "ok", worker: "ok" },
      notes: [],
    });
  });

  it("answers HEAD like GET without a body, and opens only what sign-in needs", async () => {
    const head = await host.call({ method: "HEAD", path: "/api/health/live" });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const path of ["/api/auth/sign-up/email", "/api/auth/list-sessions", "/api/auth/ok"]) {
      expect((await host.call({ path })).status).toBe(404);
    }
    expect((await host.call({ path: "/api/auth/get-session" })).json).toEqual({ operator: null });
  });
});

describe("without its database", () => {
  it("HTTP-8 says which part is missing, and refuses with a retryable answer", async () => {
    const host = await openHost("hono");
    const till = await openTill(host);
    await till.post("/payments", payment());
    await host.deps?.db.close();
    const ready = await host.call({ path: "/api/health/ready" });
    expect([ready.status, ready.json?.["missing"]]).toEqual([503, ["database"]]);
    const worker = await host.call({ path: "/api/health/worker" });
    expect([worker.status, worker.json]).toEqual([503, { worker: "unchecked" }]);
    const answer = await till.post("/payments", payment());
    expect(answer.json).toMatchObject({ status: 503, code: "dependency.unavailable", retryable: true });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect((await host.call({ path: "/api/metrics" })).text).toContain("database_up 0");
    await host.close();
  });
});

describe("docs/PROFILES.md", () => {
  it("PROFILE-1 names the codes as the profiles do", async () => {
    const page = await readFile(`${import.meta.dirname}/../docs/PROFILES.md`, "utf8");
    const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (`[^|]+` \| `[^|]+` \| `[^|]+` \| `[^|]+`) \|$/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const [, code = "", cells = ""] of rows) {
      const names = ERRORS.find((row) => row.code === code)?.names;
      expect(cells.split(" | ").map((cell) => cell.replaceAll("`", ""))).toEqual(Object.values(names ?? {}));
    }
  });
});
