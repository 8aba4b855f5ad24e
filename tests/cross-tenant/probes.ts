import type { Random } from "./random";
import type { ProbeTarget } from "./routes";
import type { Tokens } from "./tokens";
import type { Caller, World } from "./world";

type Pairs = readonly (readonly [string, string])[];

/** One request that tries to reach the other tenant. */
export interface Probe {
  readonly caller: Caller;
  readonly target: ProbeTarget;
  /** In which place it names the other tenant, or that it only names something of it. */
  readonly attack: Attack;
  readonly path: string;
  readonly headers: Pairs;
  readonly body: string | undefined;
}

/** Where a request names a tenant, as [query, header, cookie, body] of which each is own, other or left out. */
export const ATTACKS = [
  "its ids alone",
  "query",
  "header",
  "query and header",
  "query, own in the header",
  "own in the query, header",
  "query twice, own first",
  "query twice, own last",
  "cookie",
  "body",
] as const;
/** How often each is sent: what names something of the other tenant has more to choose from than what names the tenant. */
export const WEIGHED: readonly Attack[] = [...ATTACKS, ...new Array<Attack>(5).fill("its ids alone")];
export type Attack = (typeof ATTACKS)[number];

const HEADER = "onceboard-tenant";
const COOKIE = "ob_tenant";

/** @returns query, headers and more of the cookie that an attack says a tenant by */
function namesOf(attack: Attack, { own, other }: World): { query: Pairs; headers: Pairs; cookie: string } {
  const said = (query: readonly string[], header?: string, cookie = ""): ReturnType<typeof namesOf> => ({
    query: query.map((tenant) => ["tenant", tenant] as const),
    headers: header === undefined ? [] : [[HEADER, header]],
    cookie,
  });
  switch (attack) {
    case "its ids alone":
      return said([own]);
    case "query":
      return said([other]);
    case "header":
      return said([], other);
    case "query and header":
      return said([other], other);
    case "query, own in the header":
      return said([other], own);
    case "own in the query, header":
      return said([own], other);
    case "query twice, own first":
      return said([own, other]);
    case "query twice, own last":
      return said([other, own]);
    case "cookie":
      return said([], undefined, `${COOKIE}=${other}`);
    case "body":
      return said([own]);
  }
}

/** @returns a probe of this target that names the other tenant as the attack says, with its ids and names wherever one may stand */
export function probeOf(
  world: World,
  tokens: Tokens,
  caller: Caller,
  target: ProbeTarget,
  attack: Attack,
  random: Random,
): Probe {
  const token = (): string => random.pick(random.below(3) === 0 ? tokens.names : tokens.ids);
  const path = target.path.replace(/([\w-]+)\/(?::\w+|\[\w+\])/g, (_, place: string) => {
    const its = tokens.places[place] ?? [];
    return `${place}/${encodeURIComponent(its.length > 0 && random.below(5) > 0 ? random.pick(its) : token())}`;
  });
  const { query, headers, cookie } = namesOf(attack, world);
  const filters = target.query
    .filter((name) => name !== "tenant" && (name === "q" || random.below(4) === 0))
    .map((name) => [name, token()] as const);
  const search = [...query, ...filters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const spoken = { ids: sparedOf(tokens.ids), names: sparedOf(tokens.names) };
  const inBody = (): string => random.pick(random.below(3) === 0 ? spoken.names : spoken.ids);
  const filling = { attack, other: world.other, token: inBody, random };
  const body = target.method === "GET" ? undefined : bodyOf(target, filling);
  return {
    ...{ caller, target, attack, body },
    path: search === "" ? path : `${path}?${search}`,
    headers: [...withCookie(caller.headers, cookie), ...headers],
  };
}

/** What a body says may be kept and told again, so most words of the other tenant are never said there. */
function sparedOf(all: readonly string[]): readonly string[] {
  return all.filter((_, index) => index % 3 === 0);
}

function withCookie(headers: Pairs, cookie: string): Pairs {
  if (cookie === "") return headers;
  if (!headers.some(([name]) => name === "cookie")) return [...headers, ["cookie", cookie]];
  return headers.map(([name, value]) => (name === "cookie" ? [name, `${value}; ${cookie}`] : [name, value]));
}

interface Filling {
  readonly attack: Attack;
  readonly other: string;
  readonly token: () => string;
  readonly random: Random;
}

function bodyOf({ body }: ProbeTarget, filling: Filling): string {
  const { random, token } = filling;
  const filled = body === undefined ? {} : valueOf(body, { random, text: (format) => textOf(format, token, random) });
  if (filling.attack !== "body") return JSON.stringify(filled);
  return JSON.stringify({ ...(typeof filled === "object" && filled !== null ? filled : {}), tenant: filling.other });
}

type Json = Readonly<Record<string, unknown>>;
const DEEPEST = 6;

export interface Values {
  readonly random: Random;
  /** @returns what stands in the place of a text of this format */
  readonly text: (format: string | undefined) => unknown;
}

/** A value that a JSON schema allows, but for its texts, which are the caller's choice. */
export function valueOf(schema: Json, values: Values, depth = 0): unknown {
  const { random, text } = values;
  if (depth > DEEPEST) return {};
  const go = (inner: unknown): unknown => valueOf(inner as Json, values, depth + 1);
  const {
    const: constant,
    enum: words,
    anyOf,
    type,
    properties,
    items,
    format,
    minimum,
    default: usual,
  } = schema as {
    readonly const?: unknown;
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly unknown[];
    readonly type?: string;
    readonly properties?: Json;
    readonly items?: unknown;
    readonly format?: string;
    readonly minimum?: number;
    readonly default?: unknown;
  };
  if (constant !== undefined) return constant;
  if (words !== undefined) return random.pick(words);
  if (anyOf !== undefined) return go(random.pick(anyOf));
  switch (type) {
    case "object": {
      const kept = Object.entries(properties ?? {}).filter(([name]) => isNeeded(schema, name) || random.below(2) === 0);
      return Object.fromEntries(kept.map(([name, inner]) => [name, go(inner)]));
    }
    case "array":
      return items === undefined ? [] : [go(items)];
    case "integer":
    case "number":
      return usual ?? Math.max(minimum ?? 0, 0);
    case "boolean":
      return random.below(2) === 0;
    default:
      return text(format);
  }
}

function isNeeded({ required }: Json, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

export function textOf(format: string | undefined, token: () => string, random: Random): string {
  if (format === "date-time") return new Date().toISOString();
  if (format === "email") return `${token()}@example.com`;
  if (format === "uri") return `https://example.com/${token()}`;
  return format === "uuid" || random.below(2) === 0 ? token() : `because of ${token()}`;
}
