import { objectOf, textOf, type Form } from "./form";
import type { Reply } from "../pretend-server";
import { invalid, missing } from "./reply";
import type { State } from "./state";

interface Listed {
  readonly id: string;
  readonly created: number;
}

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const METADATA_QUERY = /^metadata\["([^"\]]+)"\]:"((?:[^"\\]|\\.)*)"$/;

/** A page of a list, newest first: `limit`, `starting_after`, `created[gte]` and its like. */
export function answerList<T extends Listed>(
  all: Iterable<T>,
  query: Form,
  url: string,
  shown: (object: T) => object,
): Reply {
  const limit = limitOf(query);
  const after = textOf(query, "starting_after");
  // What came last was made last: seconds alone would leave the order within one open.
  const rows = [...all].reverse().filter((object) => isCreated(object, objectOf(query, "created")));
  const from = after === undefined ? 0 : rows.findIndex((object) => object.id === after) + 1;
  if (after !== undefined && from === 0) return missing("object", after);
  const page = rows.slice(from, from + limit);
  const body = { object: "list", url, has_more: rows.length > from + limit, data: page.map(shown) };
  return { status: 200, body };
}

/** Search by one metadata field. It shows what was changed at least `search_lag_ms` ago. */
export function answerSearch(state: State, query: Form, shown: (intent: never) => object): Reply {
  const match = METADATA_QUERY.exec(textOf(query, "query") ?? "");
  if (match === null) return invalid("This sandbox only searches one metadata field.", "query");
  const [, field = "", value = ""] = match;
  const wanted = value.replaceAll(/\\(.)/g, "$1");
  const indexed = state.nowMs() - state.faults.search_lag_ms;
  const found = [...state.intents.values()]
    .reverse()
    .filter((intent) => intent.changedMs <= indexed && intent.metadata[field] === wanted)
    .slice(0, limitOf(query));
  const data = found.map((intent) => shown(intent as never));
  return { status: 200, body: { object: "search_result", url: "/v1/payment_intents/search", has_more: false, data } };
}

function limitOf(query: Form): number {
  const limit = Number(textOf(query, "limit") ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
}

function isCreated({ created }: Listed, range: Readonly<Record<string, string>>): boolean {
  const { gt, gte, lt, lte } = { gt: range["gt"], gte: range["gte"], lt: range["lt"], lte: range["lte"] };
  return (
    (gt === undefined || created > Number(gt)) &&
    (gte === undefined || created >= Number(gte)) &&
    (lt === undefined || created < Number(lt)) &&
    (lte === undefined || created <= Number(lte))
  );
}
