import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  AppError,
  defineConfig,
  defineModule,
  jsonResponse,
  keyedRoute,
  meshFunction,
  plainRoute,
  type LocalOperation,
} from "@/engine/index";
import { PROTOCOL } from "../mesh/protocol";
import { createClient } from "@/client";
import { WIRE_PROFILES } from "@/domain/access/permission";
import { HOSTS, openHost, type TestHost } from "../testing/host";
import { tillOf, type Till } from "../testing/till";

const idBody = z.strictObject({ note: z.string().max(50).default("") });
interface NoteCommand {
  readonly id: string;
  readonly note: string;
}
/** Runs that took effect, by operation. */
const effects: string[] = [];

function operation(name: string, status: 200 | 201 | 202 | 204): LocalOperation<NoteCommand> {
  return {
    name,
    path: "local",
    apiVersion: "1",
    schemaVersion: "1",
    policy: {},
    fields: ({ id, note }) => ({ id, note }),
    describe: ({ id }) => ({ reference: id }),
    run: (_ctx, _tx, { operationId }, { id, note }) => {
      effects.push(`${name} ${id}`);
      const resource = { type: "note", id };
      const empty = { status, headers: {}, body: Buffer.alloc(0) };
      // An address that looks like ours for a request in progress, with more than it in the body.
      const location = status === 202 ? { location: `/api/v1/operations/${operationId}` } : {};
      const response = status === 204 ? empty : jsonResponse(status, { id, note }, location);
      return Promise.resolve({ state: "COMPLETED", resource, response });
    },
  };
}
const make = { ...operation("notes.make", 201), meshFunction: { name: "notes.make", version: "1" } };
const change = operation("notes.change", 200);
const remove = operation("notes.remove", 204);
const send = operation("notes.send", 202);

const noteAnswer = z.object({ id: z.string(), note: z.string() }).meta({ id: "Note" });
const answered = { text: "The note", schema: noteAnswer };
const params = { id: z.string().regex(/^n\d+$/) };
const absent = { code: "note.not_found", title: "There is no such note" };
const shared = { scopes: ["notes"], params, absent, answers: { 200: answered }, errors: ["note.not_found"] } as const;

const notes = defineModule({
  name: "notes",
  operations: [
    { definition: make, label: "Note", route: "POST /notes" },
    { definition: change, label: "Change", route: "PATCH /notes/{id}" },
    { definition: remove, label: "Removal", route: "DELETE /notes/{id}" },
    { definition: send, label: "Sending", route: "POST /notes/{id}/sendings" },
  ],
  errors: { "note.not_found": { status: 404, means: "No such note." } },
  resources: { note: "/notes/{id}" },
  routes: [
    keyedRoute({
      method: "POST",
      path: "/notes",
      id: "makeNote",
      summary: "Make a note",
      scopes: ["notes"],
      operation: make,
      body: { schema: z.strictObject({ id: params.id, note: z.string() }) },
      command: (_ctx, body) => body,
      answers: { 201: answered },
    }),
    keyedRoute({
      ...shared,
      method: "PATCH",
      path: "/notes/{id}",
      id: "changeNote",
      summary: "Change a note",
      operation: change,
      body: { schema: idBody, defaulted: ["note"] },
      command: (_ctx, { note }, { id }) => ({ id, note }),
    }),
    keyedRoute({
      ...shared,
      method: "DELETE",
      path: "/notes/{id}",
      id: "removeNote",
      summary: "Remove a note",
      operation: remove,
      body: { schema: z.strictObject({}).optional() },
      bodyOptional: true,
      command: (_ctx, _body, { id }) => ({ id, note: "" }),
      answers: { 204: { text: "It is gone" } },
    }),
    keyedRoute({
      ...shared,
      method: "POST",
      path: "/notes/{id}/sendings",
      id: "sendNote",
      summary: "Send a note later",
      operation: send,
      body: { schema: idBody, defaulted: ["note"] },
      command: (_ctx, { note }, { id }) => ({ id, note }),
      answers: { 202: answered },
    }),
    plainRoute({
      method: "GET",
      path: "/notes/{id}",
      id: "readNote",
      summary: "A note",
      scopes: ["notes", "readers"],
      params,
      query: { part: z.enum(["all", "title"]).default("all") },
      answers: { 200: { text: "The note", schema: z.object({ id: z.string(), part: z.string() }) } },
      errors: ["note.not_found"],
      handle(_ctx, { params: { id }, query: { part } }) {
        if (id === "n404") throw new AppError("note.not_found", 404, "There is no such note");
        return Promise.resolve({ body: { id, part }, headers: { etag: '"1"' } });
      },
    }),
  ],
  mesh: {
    description: "notes.make, version 1.",
    argumentsText: "notes.make takes an id and a note.",
    functions: [
      meshFunction({
        name: "notes.make",
        version: "1",
        scopes: ["notes"],
        operation: make,
        body: { schema: z.strictObject({ id: params.id, note: z.string() }) },
        renames: { name: "id" },
        command: (_ctx, body) => body,
      }),
    ],
  },
});

describe.each(HOSTS.filter((name) => name !== "next"))("a module of somebody else on %s", (name) => {
  let host: TestHost;
  let key: string;
  let till: Till;
  beforeAll(async () => {
    effects.length = 0;
    host = await openHost(name, { config: defineConfig({ modules: [notes] }) });
    key = await host.key(["notes"]);
    till = tillOf(host, key);
  });
  afterAll(() => host.close());

  const call = (method: string, path: string, idempotencyKey: string, body?: object, apiKey = key) =>
    host.call({
      method,
      path: `/api/v1${path}`,
      headers: [
        ["authorization", `Bearer ${apiKey}`],
        ["content-type", "application/json"],
        ["idempotency-key", idempotencyKey],
      ],
      ...(body && { body: JSON.stringify(body) }),
    });

  it.each([
    ["POST", "/notes", 201, { id: "n1", note: "a" }, "notes.make n1"],
    ["PATCH", "/notes/n1", 200, { note: "b" }, "notes.change n1"],
    ["DELETE", "/notes/n1", 204, undefined, "notes.remove n1"],
    ["POST", "/notes/n1/sendings", 202, { note: "c" }, "notes.send n1"],
  ])(
    "%s %s under a key takes effect once, and is replayed byte for byte",
    async (method, path, status, body, effect) => {
      const first = await call(method, path, `${method}-${String(status)}`, body);
      expect(first.status).toBe(status);
      const second = await call(method, path, `${method}-${String(status)}`, body);
      expect(second.status).toBe(status);
      expect(second.bytes).toEqual(first.bytes);
      expect(second.headers["idempotent-replayed"]).toBe("true");
      expect(effects.filter((each) => each === effect)).toHaveLength(1);
    },
  );

  it("REPLAY-10 an answer 202 is kept with its Location, in every profile, and is no request in progress", async () => {
    for (const profile of WIRE_PROFILES) {
      const caller = await host.key(["notes"], { profile, name: `sender-${profile}` });
      const [first, again] = [
        await call("POST", "/notes/n5/sendings", `send-${profile}`, { note: "d" }, caller),
        await call("POST", "/notes/n5/sendings", `send-${profile}`, { note: "d" }, caller),
      ];
      expect([first.status, again.status]).toEqual([202, 202]);
      expect(again.bytes).toEqual(first.bytes);
      const location = `/api/v1/operations/${String(first.headers["operation-id"])}`;
      expect([first.headers["location"], again.headers["location"]]).toEqual([location, location]);
      expect([first.headers["idempotency-status"], again.headers["idempotency-status"]]).toEqual([
        "stored",
        "replayed",
      ]);
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(again.headers["retry-after"]).toBeUndefined();
    }
    expect(effects.filter((each) => each === "notes.send n5")).toHaveLength(WIRE_PROFILES.length);
  });

  it("REPLAY-10 the client library takes a 202 of the operation for its answer, and asks for no other", async () => {
    const calls: string[] = [];
    const watched: typeof fetch = (url, init) => {
      calls.push(init?.method ?? "");
      return fetch(url, init);
    };
    const client = createClient({ baseUrl: host.url, apiKey: key, fetch: watched });
    const first = await client.post("/notes/n6/sendings", { note: "e" }, { key: "library-6" });
    const again = await client.post("/notes/n6/sendings", { note: "e" }, { key: "library-6" });
    expect([first.status, again.status, again.replayed]).toEqual([202, 202, true]);
    expect(again.body).toEqual(first.body);
    expect(calls).toEqual(["POST", "POST"]);
  });

  it.each([
    ["PATCH", "/notes/n30", 200, { note: "b" }, "Change", "PATCH /notes/{id}"],
    ["DELETE", "/notes/n30", 204, undefined, "Removal", "DELETE /notes/{id}"],
    ["POST", "/notes/n30/sendings", 202, { note: "b" }, "Sending", "POST /notes/{id}/sendings"],
  ])("%s %s has a page, a proof, a status and counts as replayed", async (method, path, status, body, kind, route) => {
    await host.deps?.engine.kinds.register();
    const idempotencyKey = `whole-${String(status)}`;
    const first = await call(method, path, idempotencyKey, body);
    await call(method, path, idempotencyKey, body);
    await host.deps?.answers.flush();
    const id = String(first.headers["operation-id"]);
    expect((await till.get(`/operations/${id}`)).json).toMatchObject({
      state: "COMPLETED",
      responseStatus: status,
      retry: { sameKey: "replays" },
    });
    const admin = tillOf(host, await host.key(["admin"], { name: `desk-${String(status)}` }));
    const page = await admin.get(`/admin/operations/${id}`);
    expect(page.json).toMatchObject({ kind, route, state: "COMPLETED" });
    const proof = await admin.get(`/admin/operations/${id}/proof`);
    expect([proof.status, proof.json?.["verdict"]]).toEqual([200, "proven"]);
    const events = await host.rows<{ outcome: string; status: number }>(
      "select outcome, status from onceboard.idempotency_events where operation_id = $1 and outcome is not null order by at",
      id,
    );
    expect(events).toEqual([
      { outcome: "executed", status },
      { outcome: "replayed", status },
    ]);
  });

  it("names what differs when a key of a PATCH comes with another command", async () => {
    await call("PATCH", "/notes/n2", "patch-2", { note: "a" });
    const other = await call("PATCH", "/notes/n3", "patch-2", { note: "a" });
    expect(other.status).toBe(409);
    expect(other.json).toMatchObject({ code: "idempotency.payload_mismatch", differingFields: ["id"] });
  });

  it("needs a key, a path that can be, and the module's scope", async () => {
    expect((await till.post("/notes", { id: "n9", note: "" }, { key: null })).json).toMatchObject({
      code: "idempotency.key_missing",
    });
    expect((await call("PATCH", "/notes/other", "patch-9", { note: "" })).json).toMatchObject({
      code: "note.not_found",
    });
    const reader = await host.key(["readers"], { name: "reader" });
    expect((await call("PATCH", "/notes/n1", "patch-10", { note: "" }, reader)).json).toMatchObject({
      code: "auth.forbidden",
      requiredScopes: ["notes"],
    });
    expect((await tillOf(host, reader).get("/notes/n1")).status).toBe(200);
  });

  it("gives a handler without a key what its schemas read, and says what is wrong", async () => {
    const good = await till.get("/notes/n7?part=title");
    expect(good.json).toEqual({ id: "n7", part: "title" });
    expect(good.headers["etag"]).toBe('"1"');
    expect((await till.get("/notes/n7")).json).toMatchObject({ part: "all" });
    const bad = await till.get("/notes/n7?part=none");
    expect(bad.status).toBe(400);
    expect(bad.json).toMatchObject({ code: "validation.parameters", errors: [{ path: "part" }] });
    expect((await till.get("/notes/n404")).json).toMatchObject({ code: "note.not_found" });
    // A path that no route has, for this module said no other code.
    expect((await till.get("/notes/x")).json).toMatchObject({ code: "route.not_found" });
  });

  it("is called through the mesh, and shows where its resource is read", async () => {
    const envelope = {
      protocol: PROTOCOL,
      id: "req-1",
      call: { function: "notes.make", version: "1", arguments: { name: "n20", note: "m" } },
      extensions: [{ urn: "urn:mesh:ext:idempotency", options: { key: "mesh-20" } }],
    };
    const document = (await host.call({ path: "/api/v1/openapi.json" })).json as {
      paths: Record<string, Record<string, unknown>>;
      components: { schemas: Record<string, unknown> };
    };
    const example = JSON.stringify(document.components.schemas["MeshRequest"]);
    expect(example).toContain("notes.make takes an id and a note.");
    const answer = await till.post("/mesh", envelope, { key: null });
    expect(answer.json).toMatchObject({ result: { id: "n20" } });
    const again = await call("POST", "/notes", "mesh-20", { id: "n20", note: "m" });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const status = await till.get(`/operations/${String(again.headers["operation-id"])}`);
    expect(status.json).toMatchObject({ operation: "notes.make", result: { href: "/api/v1/notes/n20" } });
  });

  it("stands in the document of this process, and no other module does", async () => {
    const document = (await host.call({ path: "/api/v1/openapi.json" })).json as {
      paths: Record<string, Record<string, { "x-scopes"?: string[]; responses: Record<string, { $ref: string }> }>>;
      components: { responses: Record<string, unknown> };
    };
    expect(Object.keys(document.paths["/notes/{id}"] ?? {}).sort()).toEqual(["delete", "get", "patch"]);
    const gone = document.paths["/notes/{id}"]?.["delete"]?.responses["204"];
    expect(gone).toMatchObject({ description: "It is gone" });
    expect(gone).not.toHaveProperty("content");
    // What the operation answers, or what a request in progress may be told.
    const sent = JSON.stringify(document.paths["/notes/{id}/sendings"]?.["post"]?.responses["202"]);
    expect(sent).toContain('"anyOf":[{"$ref":"#/components/schemas/Note"},{"$ref":"#/components/schemas/Accepted"}]');
    expect(sent).toContain("Idempotency-Status");
    expect(document.paths["/notes/{id}"]?.["get"]?.["x-scopes"]).toEqual(["notes", "readers"]);
    const refusals = document.components.responses;
    const ref = document.paths["/notes/{id}"]?.["get"]?.responses["400"]?.$ref.split("/").at(-1) ?? "";
    expect(JSON.stringify(refusals[ref])).toContain("validation.parameters");
    expect(document.paths["/payments"]).toBeUndefined();
    expect(document.paths["/admin/operations"]).toBeDefined();
    const page = await host.call({ path: "/api/v1/docs" });
    expect(page.text).toContain('id="error-note-not_found"');
    expect(page.text).not.toContain("payment.declined");
  });

  it("is known to the console, with its scopes", async () => {
    await host.deps?.engine.kinds.register();
    const kinds = await host.deps?.engine.kinds.all();
    expect(kinds?.get("notes.change")).toMatchObject({ owner: "notes", label: "Change", route: "PATCH /notes/{id}" });
    const admin = tillOf(host, await host.key(["admin"], { name: "desk" }));
    const client = { name: "shop", contact: "", profile: "problem", reason: "a test" };
    const refused = await admin.post("/admin/clients", { ...client, scopes: ["payments"] });
    expect(refused.json?.["detail"]).toContain("notes, readers, events, admin");
    expect((await admin.post("/admin/clients", { ...client, scopes: ["notes"] })).status).toBe(200);
  });
});
