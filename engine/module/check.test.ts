import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Consumer } from "../inbox/consumer";
import type { LocalOperation, ProviderOperation } from "../execute/operation";
import { jsonResponse } from "../execute/settlement";
import { ModuleError } from "./check";
import { joinModules } from "./load";
import type { Module } from "./module";
import { keyedRoute, meshFunction, plainRoute, type Route } from "./route";

interface Place {
  readonly item: string;
}

const place: LocalOperation<Place> = {
  name: "orders.place",
  path: "local",
  apiVersion: "1",
  schemaVersion: "1",
  policy: {},
  fields: ({ item }) => ({ item }),
  describe: () => ({}),
  run: () => Promise.resolve({ state: "COMPLETED", response: jsonResponse(201, {}) }),
};
const ship: ProviderOperation<Place> = {
  ...place,
  name: "orders.ship",
  path: "provider",
  provider: { name: "carrier", dedupesForHours: 24, queryable: true },
  prepare: () => Promise.reject(new Error("not called")),
  send: () => Promise.reject(new Error("not called")),
  lookUp: () => Promise.reject(new Error("not called")),
  settle: () => Promise.reject(new Error("not called")),
  release: () => Promise.resolve(),
};
const entry = { definition: place, label: "Order" };
const body = { schema: z.strictObject({ item: z.string() }) };
const answers = { 201: { text: "The order", schema: z.object({}) } };
const placeRoute = keyedRoute({
  method: "POST",
  path: "/orders",
  id: "placeOrder",
  summary: "Place an order",
  scopes: ["orders"],
  operation: place,
  body,
  command: (_ctx, command) => command,
  answers,
});
const readRoute = plainRoute({
  method: "GET",
  path: "/orders/{id}",
  id: "readOrder",
  summary: "An order",
  scopes: ["orders", "stock"],
  params: { id: z.uuid() },
  answers,
  handle: () => Promise.resolve({ body: {} }),
});
const consumer: Consumer = {
  name: "stock",
  path: "transaction",
  subscribes: () => true,
  handle: () => Promise.resolve("ok"),
};
const orders: Module = {
  name: "orders",
  operations: [entry, { definition: ship, label: "Shipment" }],
  routes: [placeRoute, readRoute],
  consumers: [consumer],
  events: { "order.placed": { effectId: "orderId" } },
};
const orderFunction = meshFunction({
  name: "orders.place",
  version: "1",
  scopes: ["orders"],
  operation: place,
  body,
  command: (_ctx, command) => command,
});
const without = (definition: object, member: string): never =>
  Object.fromEntries(Object.entries(definition).filter(([name]) => name !== member)) as never;
/** As JavaScript may write it. */
const routeWith = (change: object, route: Route = placeRoute): Module => ({
  ...orders,
  routes: [{ ...route, ...change }],
});

describe("modules", () => {
  it("are joined: what they register, and the scopes that their routes ask for", () => {
    const joined = joinModules({ modules: [orders] });
    expect(joined.scopes).toEqual(["orders", "stock", "events", "admin"]);
    expect(joined.kinds).toMatchObject([
      { name: "orders.place", owner: "orders", runsIn: "module", path: "local", actions: [], version: "1" },
      {
        name: "orders.ship",
        path: "provider",
        provider: { name: "carrier" },
        actions: ["reconcile", "resolve", "release"],
      },
    ]);
    expect(joined.registry.provider("orders.ship")).toBe(ship);
    expect(joined.registry.provider("orders.place")).toBeUndefined();
    expect(joined.consumers.consumersOf("onceboard", "order.placed")).toEqual(["stock", "webhooks"]);
    expect(joinModules({ modules: [] }).scopes).toEqual(["events", "admin"]);
  });

  it("are closed with the provider, also when one of them fails", async () => {
    const closed: string[] = [];
    const close = (name: string) => () => void closed.push(name);
    const failing = { ...orders, close: () => Promise.reject(new Error("broken")) };
    const provider = { name: "carrier", dedupesForHours: 0, queryable: true, close: close("provider") };
    const other = { name: "other", operations: [], close: close("other") };
    await joinModules({ modules: [failing, other], provider }).close();
    expect(closed).toEqual(["other", "provider"]);
  });

  it.each<[string, readonly Module[], string]>([
    ["a bad name", [{ ...orders, name: "Orders!" }], '"Orders!" is no name of a module'],
    ["a name that is taken", [{ ...orders, name: "onceboard" }], '"onceboard" is no name of a module: it is taken'],
    ["one name twice", [orders, { name: "orders", operations: [] }], 'Two modules are named "orders"'],
    [
      "two operations of one name",
      [{ ...orders, operations: [entry, entry] }],
      'Two operations are named "orders.place"',
    ],
    [
      "an operation of a module and of another one",
      [orders, { name: "shop", operations: [entry] }],
      'Two operations are named "orders.place"',
    ],
    [
      "a name of the console",
      [{ name: "orders", operations: [{ ...entry, definition: { ...place, name: "admin.purge" } }] }],
      'The operation "admin.purge" of the module orders needs a name such as',
    ],
    [
      "a provider operation without lookUp",
      [{ name: "orders", operations: [{ label: "Shipment", definition: without(ship, "lookUp") }] }],
      'The operation "orders.ship" of the module orders is on the path "provider" and has no lookUp()',
    ],
    [
      "a provider operation without a provider",
      [{ name: "orders", operations: [{ label: "Shipment", definition: without(ship, "provider") }] }],
      "does not say which provider",
    ],
    [
      "an operation that refuses another key for it does not say what",
      [{ name: "orders", operations: [{ ...entry, definition: { ...place, policy: { newKey: "once" } } }] }],
      'The operation "orders.place" of the module orders decides newKey and does not say what it is done to (onceFor)',
    ],
    [
      "an unknown path",
      [{ name: "orders", operations: [{ ...entry, definition: without(place, "path") }] }],
      'needs a path: "local", "provider" or "task"',
    ],
    ["no module at all", [undefined as never], "Module 1 must be an object"],
    ["a module without operations", [{ name: "orders" } as never], "The module orders: operations must be a list"],
    ["a member that no module has", [{ ...orders, route: [] } as never], "The module orders has no member route"],
    [
      "an operation without a label",
      [{ ...orders, operations: [{ definition: place } as never] }],
      "operations.0.label must be a text",
    ],
    [
      "an operation without a definition",
      [{ ...orders, operations: [{ label: "Order" } as never] }],
      "operations.0.definition must be an object",
    ],
    [
      "a policy that no operation can have",
      [{ ...orders, operations: [{ ...entry, definition: { ...place, policy: { ttlHours: -1 } } }] }],
      "operations.0.definition.policy.ttlHours must be a whole number from 1 to 8760",
    ],
    [
      "an action that no operator has",
      [{ ...orders, operations: [{ ...entry, actions: ["explode" as never] }] }],
      "operations.0.actions.0 must be reconcile, resolve or release",
    ],
    [
      "a consumer that handles nothing",
      [{ ...orders, consumers: [without(consumer, "handle")] }],
      "consumers.0.handle must be a function",
    ],
    [
      "a plain route without a handler",
      [routeWith({ handle: undefined }, readRoute)],
      "routes.0.handle must be a function",
    ],
    ["a keyed route without a command", [routeWith({ command: undefined })], "routes.0.command must be a function"],
    [
      "an answer with what is no schema",
      [routeWith({ answers: { 200: { text: "The order", schema: { type: "object" } } } })],
      "routes.0.answers.200.schema must be a schema of zod",
    ],
    [
      "a query without a schema",
      [routeWith({ query: { item: "text" } }, readRoute)],
      "routes.0.query.item must be a schema of zod",
    ],
    ["a body without a schema", [routeWith({ body: {} }, readRoute)], "routes.0.body must be a schema of zod"],
    [
      "evidence that is no relation",
      [{ ...orders, evidence: { effects: ["orders; drop"] } }],
      'evidence.effects.0 must be named as "schema.view"',
    ],
    [
      "migrations without a folder",
      [{ ...orders, migrations: { directory: "./migrations" as never } }],
      "migrations.directory must be the URL of a folder",
    ],
    ["two consumers of one name", [{ ...orders, consumers: [consumer, consumer] }], 'Two consumers are named "stock"'],
    [
      "a consumer with a name of ours",
      [{ ...orders, consumers: [{ ...consumer, name: "webhooks" }] }],
      'The consumer name "webhooks" is the engine\'s own',
    ],
    ["a keyed route without a body schema", [routeWith({ body: undefined })], "has no schema for its body"],
    [
      "a keyed route of an operation that the module does not have",
      [routeWith({ operation: { ...place, name: "orders.else" } })],
      'runs the operation "orders.else", which the module does not have',
    ],
    ["a keyed GET", [routeWith({ method: "GET" })], "runs an operation, which a GET may not"],
    ["an unknown method", [routeWith({ method: "TRACE" })], "has an unknown method"],
    ["a path without a slash", [routeWith({ path: "orders" })], "has a path that cannot be matched"],
    ["a path of ours", [routeWith({ path: "/admin/orders" })], "is at a path of the engine: /admin"],
    ["a parameter without a schema", [routeWith({ params: {} }, readRoute)], 'has no schema for its parameter "id"'],
    ["no answers", [routeWith({ answers: {} })], "does not say what it answers"],
    ["no scope", [routeWith({ scopes: [] })], "names no scope"],
    ["a scope of ours", [routeWith({ scopes: ["admin"] })], 'cannot be opened by the scope "admin"'],
    [
      "two routes of one method and path",
      [
        {
          ...orders,
          routes: [readRoute, { ...readRoute, id: "other", path: "/orders/{order}", params: { order: z.uuid() } }],
        },
      ],
      'Two routes are "GET /orders/{}"',
    ],
    [
      "two routes of one id",
      [{ ...orders, routes: [placeRoute, { ...placeRoute, path: "/others" }] }],
      'Two routes have the id "placeOrder"',
    ],
    [
      "a function of the mesh that its operation does not name",
      [{ ...orders, mesh: { description: "", argumentsText: "", functions: [orderFunction] } }],
      'The mesh function orders.place 1 of the module orders is not the meshFunction of its operation "orders.place"',
    ],
    [
      "two modules that publish one event",
      [orders, { name: "shop", operations: [], events: { "order.placed": {} } }],
      'Two modules publish the event "order.placed"',
    ],
    [
      "our own event source",
      [{ ...orders, sources: [{ name: "onceboard", secret: "" }] }],
      'The event source "onceboard" is the engine\'s own',
    ],
  ])("are refused with one sentence for %s", (_what, modules, sentence) => {
    const refused = () => joinModules({ modules });
    expect(refused).toThrow(ModuleError);
    expect(refused).toThrow(sentence);
    expect(() => joinModules({ modules })).toThrow(/^[^\n]+\.$/);
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "The configuration must be an object."],
    ["a promise", Promise.resolve({ modules: [] }), "The configuration: modules must be a list."],
    [
      "a destination that opens nothing",
      { modules: [], destinations: [{ topic: "orders" }] },
      "The configuration: destinations.0.open must be a function.",
    ],
  ])("are not read of a configuration that gives %s", (_what, config, sentence) => {
    expect(() => joinModules(config as never)).toThrow(sentence);
  });
});
