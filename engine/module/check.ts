import { OWN_SCOPES } from "@/domain/access/permission";
import { OWN_SOURCE } from "../inbox/event-source";
import { DEFAULT_CONSUMER } from "../inbox/consumer";
import { WEBHOOKS_CONSUMER } from "../outbox/webhooks/consumer";
import type { OperationEntry, Module } from "./module";
import { isSchema, wrongModule } from "./shape";
import { isKeyed, ROUTE_METHODS, type KeyedCommand, type Route } from "./route";

/** A registration that is wrong: one sentence, which stops the process. */
export class ModuleError extends Error {
  override readonly name = "ModuleError";
}

/** Also a schema's and an owner's name. */
const MODULE_NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** Names of schemas that are not a module's to take. */
const TAKEN_NAMES: readonly string[] = ["onceboard", "public", "console", "admin", "drizzle", "information_schema"];
const OPERATION_NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;
const CONSOLE_PREFIX = "admin.";
const PATH = /^(\/([A-Za-z0-9._-]+|\{[A-Za-z]\w*\}))+$/;
const PARAMETER = /\{(\w+)\}/g;
const SCOPE = /^[a-z][a-z0-9_-]{0,39}$/;
/** First parts of paths that are the engine's. */
const TAKEN_PATHS: readonly string[] = ["admin", "operations", "mesh", "events", "openapi.json", "docs", "proof-keys"];
const CONSUMERS_OF_ENGINE: readonly string[] = [DEFAULT_CONSUMER, WEBHOOKS_CONSUMER];

/** @throws ModuleError for the first thing that is wrong */
export function checkModules(modules: readonly Module[]): void {
  for (const [index, module] of modules.entries()) {
    const wrong = wrongModule(module, index);
    if (wrong !== undefined) throw new ModuleError(wrong);
    checkName(module);
  }
  unique(modules, ({ name }) => name, "Two modules are named");
  const operations = modules.flatMap((module) => module.operations.map((entry) => ({ module, entry })));
  for (const { module, entry } of operations) checkOperation(module, entry);
  unique(operations, ({ entry }) => entry.definition.name, "Two operations are named");
  const consumers = modules.flatMap(({ consumers = [] }) => consumers);
  unique(consumers, ({ name }) => name, "Two consumers are named");
  const taken = consumers.find(({ name }) => CONSUMERS_OF_ENGINE.includes(name));
  if (taken !== undefined) throw new ModuleError(`The consumer name "${taken.name}" is the engine's own.`);
  for (const module of modules) for (const route of module.routes ?? []) checkRoute(module, route);
  const routes = modules.flatMap((module) => module.routes ?? []);
  unique(routes, (route) => `${route.method} ${route.path.replace(PARAMETER, "{}")}`, "Two routes are");
  unique(routes, ({ id }) => id, "Two routes have the id");
  for (const module of modules) checkMesh(module);
  const functions = modules.flatMap(({ mesh }) => mesh?.functions ?? []);
  unique(functions, ({ name, version }) => `${name} ${version}`, "Two functions of the mesh are");
  checkEvents(modules);
}

function checkName({ name }: Module): void {
  if (!MODULE_NAME.test(name)) {
    throw new ModuleError(
      `"${name}" is no name of a module: it is 1 to 40 lower-case letters, digits and underscores, a letter first.`,
    );
  }
  if (TAKEN_NAMES.includes(name) || name.startsWith("pg_")) {
    throw new ModuleError(`"${name}" is no name of a module: it is taken.`);
  }
}

function checkOperation(module: Module, { definition }: OperationEntry): void {
  const where = `The operation "${definition.name}" of the module ${module.name}`;
  if (!OPERATION_NAME.test(definition.name) || definition.name.startsWith(CONSOLE_PREFIX)) {
    throw new ModuleError(`${where} needs a name such as "orders.place", and none that begins with "admin.".`);
  }
  const path: unknown = definition.path;
  if (path !== "local" && path !== "provider" && path !== "task") {
    throw new ModuleError(`${where} needs a path: "local", "provider" or "task".`);
  }
  const needed = NEEDED_OF_PATH[path];
  // What comes from JavaScript has no types to hold it.
  const given: Readonly<Record<string, unknown>> = { ...definition };
  const missing = needed.find((member) => typeof given[member] !== "function");
  if (missing !== undefined) throw new ModuleError(`${where} is on the path "${path}" and has no ${missing}().`);
  if (definition.path === "provider" && typeof given["provider"] !== "object") {
    throw new ModuleError(`${where} is on the path "provider" and does not say which provider.`);
  }
  checkPolicy(where, definition);
}

function checkPolicy(where: string, { policy, onceFor }: OperationEntry["definition"]): void {
  if (policy.newKey !== undefined && onceFor === undefined)
    throw new ModuleError(`${where} decides newKey and does not say what it is done to (onceFor).`);
}

const NEEDED_OF_PATH = {
  local: ["fields", "describe", "run"],
  task: ["fields", "describe", "run"],
  provider: ["fields", "describe", "prepare", "send", "lookUp", "settle", "release"],
} as const;

function checkRoute(module: Module, route: Route): void {
  const where = `The route ${route.method} ${route.path} of the module ${module.name}`;
  if (!ROUTE_METHODS.includes(route.method)) throw new ModuleError(`${where} has an unknown method.`);
  if (!PATH.test(route.path)) throw new ModuleError(`${where} has a path that cannot be matched.`);
  const [, first = ""] = route.path.split("/");
  if (TAKEN_PATHS.includes(first)) throw new ModuleError(`${where} is at a path of the engine: /${first}.`);
  checkScopes(where, route.scopes);
  for (const [, name = ""] of route.path.matchAll(PARAMETER)) {
    if (!isSchema(route.params?.[name])) throw new ModuleError(`${where} has no schema for its parameter "${name}".`);
  }
  if (Object.keys(route.answers).length === 0) throw new ModuleError(`${where} does not say what it answers.`);
  if (!isKeyed(route)) return;
  if (route.method === "GET") throw new ModuleError(`${where} runs an operation, which a GET may not.`);
  checkCommand(module, where, route);
}

function checkMesh(module: Module): void {
  for (const called of module.mesh?.functions ?? []) {
    const where = `The mesh function ${called.name} ${called.version} of the module ${module.name}`;
    checkScopes(where, called.scopes);
    checkCommand(module, where, called);
    const { name, version } = called.operation.meshFunction ?? {};
    if (name !== called.name || version !== called.version) {
      throw new ModuleError(`${where} is not the meshFunction of its operation "${called.operation.name}".`);
    }
  }
}

function checkCommand(module: Module, where: string, { operation, body }: KeyedCommand<unknown, unknown>): void {
  // What comes from JavaScript may have neither.
  const schema = (body as typeof body | undefined)?.schema;
  if (!isSchema(schema)) throw new ModuleError(`${where} runs an operation and has no schema for its body.`);
  if (module.operations.some(({ definition }) => definition === operation)) return;
  const name = (operation as typeof operation | undefined)?.name ?? "";
  throw new ModuleError(`${where} runs the operation "${name}", which the module does not have.`);
}

function checkScopes(where: string, scopes: readonly string[] | undefined): void {
  if (scopes === undefined || scopes.length === 0) throw new ModuleError(`${where} names no scope.`);
  const own: readonly string[] = OWN_SCOPES;
  const wrong = scopes.find((scope) => !SCOPE.test(scope) || own.includes(scope));
  if (wrong !== undefined) throw new ModuleError(`${where} cannot be opened by the scope "${wrong}".`);
}

function checkEvents(modules: readonly Module[]): void {
  unique(
    modules.flatMap(({ events = {} }) => Object.keys(events)),
    (type) => type,
    "Two modules publish the event",
  );
  const sources = modules.flatMap(({ sources = [] }) => sources);
  unique(sources, ({ name }) => name, "Two event sources are named");
  if (sources.some(({ name }) => name === OWN_SOURCE)) {
    throw new ModuleError(`The event source "${OWN_SOURCE}" is the engine's own.`);
  }
  unique(
    modules.flatMap(({ destinations = [] }) => destinations),
    ({ topic }) => topic,
    "Two destinations are of the topic",
  );
}

function unique<Entry>(entries: readonly Entry[], nameOf: (entry: Entry) => string, what: string): void {
  const names = new Set<string>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (names.has(name)) throw new ModuleError(`${what} "${name}".`);
    names.add(name);
  }
}
