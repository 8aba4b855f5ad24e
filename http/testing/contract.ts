import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { IncomingHttpHeaders } from "node:http";

type Json = Readonly<Record<string, unknown>>;

const FILE = join(import.meta.dirname, "../../docs/openapi.json");
const SCHEMAS = "#/components/schemas/";
/** Here an answer may have members that the document does not name: those of one error, or of one function. */
const OPEN = new Set(["Problem", "PlaybookError", "MeshAnswer", "MeshRefusal"]);

interface Contract {
  /** @returns the documented route of an address, or undefined */
  find(method: string, path: string): { readonly name: string; readonly responses: Json } | undefined;
  resolve(part: unknown): Json;
  validator(schema: unknown): ValidateFunction;
}

let contract: Contract | undefined;

/**
 * Holds a real answer against docs/openapi.json: its status, its media type, its body member by member, and its error code.
 * @throws Error that names what the document does not say
 */
export function checkAnswer({ method = "GET", path }: CheckedCall, answer: CheckedAnswer): void {
  contract ??= readContract();
  const { pathname } = new URL(path, "http://host");
  const route = contract.find(method, pathname);
  // What never reaches a route has no place in the document.
  if (route === undefined || answer.json?.["code"] === "route.not_found") return;
  const wrong = (what: string) =>
    new Error(`${route.name} answered ${String(answer.status)}: ${what}\n${answer.text.slice(0, 2_000)}`);
  const documented = route.responses[String(answer.status)];
  if (documented === undefined) throw wrong("the document does not name this status");
  const content = contract.resolve(documented)["content"] as Record<string, { readonly schema: Json }> | undefined;
  const type = answer.headers["content-type"]?.split(";", 1)[0] ?? "";
  if (content === undefined || answer.text === "") return;
  const media = content[type];
  if (media === undefined) throw wrong(`the document does not name ${type}`);
  if (!/[/+]json$/.test(type)) return;
  const validate = contract.validator(media.schema);
  if (!validate(JSON.parse(answer.text))) throw wrong(JSON.stringify(validate.errors));
  const code = answer.json?.["code"];
  const codes = media.schema["x-codes"] as readonly unknown[] | undefined;
  if (codes !== undefined && type === "application/problem+json" && !codes.includes(code)) {
    throw wrong(`the document does not name ${String(code)} here`);
  }
}

function readContract(): Contract {
  const document = JSON.parse(readFileSync(FILE, "utf8")) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
    readonly components: Readonly<Record<string, Json>>;
  };
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const [server] = (operation["servers"] ?? [{ url: "/api/v1" }]) as readonly { readonly url: string }[];
      const full = `${server?.url ?? ""}${path}`;
      const pattern = new RegExp(`^${full.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return { name: `${method.toUpperCase()} ${full}`, method, pattern, responses: operation["responses"] as Json };
    }),
  );
  // An address without a placeholder comes before one that it would fit.
  routes.sort((a, b) => Number(a.name.includes("{")) - Number(b.name.includes("{")));
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats(ajv);
  ajv.addSchema({ $id: "components", components: { schemas: closedSchemas(document.components["schemas"] ?? {}) } });
  const compiled = new Map<unknown, ValidateFunction>();
  return {
    find: (method, path) => routes.find((route) => route.method === method.toLowerCase() && route.pattern.test(path)),
    resolve: (part) => resolveRef(document, part as Json),
    validator(schema) {
      const known = compiled.get(schema) ?? ajv.compile(closed(schema, new Set()) as Json);
      compiled.set(schema, known);
      return known;
    },
  };
}

function resolveRef(document: unknown, part: Json): Json {
  const { $ref } = part;
  if (typeof $ref !== "string") return part;
  return $ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => (at as Json)[name], document) as Json;
}

/** An answer may have no member that is not documented; what is extended by `allOf` is closed where it is extended. */
function closedSchemas(schemas: Json): Json {
  const extended = new Set(OPEN);
  JSON.stringify(schemas, (name, value: unknown) => {
    if (name === "allOf") for (const part of value as Json[]) extended.add(String(part["$ref"]).slice(SCHEMAS.length));
    return value;
  });
  // Of answers themselves, which are no components.
  extended.add("ActionAnswer");
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const inner = closed(schema, extended) as Json;
      if (OPEN.has(name)) return [name, withRefs(schema)];
      if (!extended.has(name)) return [name, inner];
      const { unevaluatedProperties: _closed, ...open } = inner;
      return [name, open];
    }),
  );
}

function closed(schema: unknown, extended: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => closed(item, extended));
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(
    Object.entries(schema).map(([name, value]: [string, unknown]) => {
      if (name === "$ref") return [name, `components${String(value)}`];
      if (name === "allOf") return [name, (value as Json[]).map((part) => opened(closed(part, extended) as Json))];
      return [name, closed(value, extended)];
    }),
  );
  const isObject = "allOf" in members || (members["type"] === "object" && "properties" in members);
  return isObject && !("additionalProperties" in members) ? { ...members, unevaluatedProperties: false } : members;
}

function opened({ unevaluatedProperties: _closed, ...open }: Json): Json {
  return open;
}

function withRefs(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"components#/')) as unknown;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Parsed, or undefined when it is no JSON. */
  readonly json: Record<string, unknown> | undefined;
}

export interface CheckedCall {
  readonly method?: string;
  readonly path: string;
  /** Pairs, so that a name can come twice. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}
