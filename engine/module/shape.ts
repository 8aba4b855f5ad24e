import { z } from "zod";
import { parseOverrides } from "@/domain/idempotency/policy";

/** What a module is made of. Types hold it in TypeScript; what comes from JavaScript has none. */
type Call = (...args: never[]) => unknown;

const call = z.custom<Call>((value) => typeof value === "function", "must be a function");
const schema = z.custom<z.ZodType>(isSchema, "must be a schema of zod");
const schemas = z.record(z.string(), schema);
const text = z.string("must be a text");
const named = text.min(1, "must not be empty");
const list = <Item extends z.ZodType>(item: Item) => z.array(item, "must be a list").readonly();
/** Members that are not named here are the owner's own. */
const thing = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape, "must be an object");

const expression = z.custom<RegExp>(
  (value) => Object.prototype.toString.call(value) === "[object RegExp]",
  "must be an expression",
);
const folder = z.custom<URL>(
  (value) => typeof value === "object" && value !== null && "protocol" in value && value.protocol === "file:",
  'must be the URL of a folder, such as new URL("./migrations/", import.meta.url)',
);

const provider = thing({
  name: named,
  // Of one that never forgets a key: Infinity.
  dedupesForHours: z.custom<number>((value) => typeof value === "number" && value >= 0, "must be a number of hours"),
  queryable: z.boolean("must be true or false"),
});

const definition = thing({
  name: text,
  apiVersion: named,
  schemaVersion: named,
  policy: z.unknown().superRefine((policy, context) => {
    const parsed = parseOverrides(policy);
    for (const { path, message } of parsed.ok ? [] : parsed.findings)
      context.addIssue({ code: "custom", path: path === "" ? [] : [path], message });
  }),
  provider: provider.optional(),
});

const entry = thing({
  definition,
  label: named,
  route: text.optional(),
  expects: thing({}).optional(),
  actions: list(z.enum(["reconcile", "resolve", "release"], "must be reconcile, resolve or release")).optional(),
});

const consumer = thing({
  name: named,
  path: z.enum(["transaction", "idempotent"], 'must be "transaction" or "idempotent"'),
  subscribes: call,
  handle: call,
});

const routeBase = {
  method: text,
  path: text,
  id: named,
  summary: named,
  scopes: list(text),
  params: schemas.optional(),
  answers: z.record(z.string(), thing({ text, schema: schema.optional() }), "must be answers by status"),
};
const route = z.unknown().superRefine((value, context) => {
  const keyed = typeof value === "object" && value !== null && "operation" in value;
  const shape = keyed
    ? thing({ ...routeBase, command: call })
    : thing({
        ...routeBase,
        handle: call,
        query: schemas.optional(),
        headers: schemas.optional(),
        body: schema.optional(),
      });
  for (const { message, path } of shape.safeParse(value).error?.issues ?? [])
    context.addIssue({ code: "custom", path, message });
});

const RELATION = /^[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*$/;
const relations = list(text.regex(RELATION, 'must be named as "schema.view"')).optional();
const destinations = list(thing({ topic: named, open: call }));

const module = z.strictObject(
  {
    name: text,
    version: text.optional(),
    operations: list(entry),
    consumers: list(consumer).optional(),
    routes: list(route).optional(),
    mesh: thing({
      functions: list(thing({ name: named, version: named, scopes: list(text), command: call })),
      description: text,
      argumentsText: text,
    }).optional(),
    errors: z.record(z.string(), thing({ status: z.int("must be a status"), means: text })).optional(),
    events: z.record(z.string(), thing({ effectId: text.optional() })).optional(),
    resources: z.record(z.string(), text).optional(),
    sources: list(thing({ name: named, secret: text })).optional(),
    signedOnly: list(text).optional(),
    destinations: destinations.optional(),
    processes: list(thing({ name: named, entry: named, ready: expression })).optional(),
    migrations: thing({
      directory: folder,
    }).optional(),
    evidence: thing({ effects: relations, entries: relations }).optional(),
    close: call.optional(),
  },
  {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? `has no member ${keys.join(", ")}` : "must be an object",
  },
);

const config = thing({ modules: list(z.unknown()), destinations: destinations.optional() });

/** @returns what is wrong with the outside of a configuration: one sentence, or undefined */
export function wrongConfig(value: unknown): string | undefined {
  return sentence("The configuration", config.safeParse(value));
}

/** @returns what a module is not made of as it should be: one sentence, or undefined */
export function wrongModule(value: unknown, index: number): string | undefined {
  const { name } = (value ?? {}) as { readonly name?: unknown };
  const who = typeof name === "string" && name !== "" ? `The module ${name}` : `Module ${String(index + 1)}`;
  return sentence(who, module.safeParse(value));
}

function sentence(who: string, { error }: z.ZodSafeParseResult<unknown>): string | undefined {
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  const where = issue.path.length === 0 ? "" : `: ${issue.path.map(String).join(".")}`;
  return `${who}${where} ${issue.message.split("\n")[0] ?? ""}.`;
}

export function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "safeParse" in value && typeof value.safeParse === "function";
}
