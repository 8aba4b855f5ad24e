import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { readForm, type Form } from "./form";
import { keyInUse, oncePerKey } from "./idempotency";
import { answerList, answerSearch } from "./lists";
import { answerNewIntent, makeIntent, publicIntent, readNewIntent } from "./payment-intents";
import { makeRefund, publicRefund, readNewRefund } from "./refunds";
import type { Outcome, Reply } from "../pretend-server";
import { failure, invalid, missing } from "./reply";
import type { Intent, State } from "./state";

const TEST_KEY = /^Bearer (sk|rk)_test_[A-Za-z0-9_]{8,}$/;
const FORM = "application/x-www-form-urlencoded";
const MAX_KEY = 255;
const RETRY_AFTER = "1";
const INTERNAL = failure(500, "api_error", "Something went wrong on our side.");
const ONE = /^\/v1\/(payment_intents|refunds)\/([A-Za-z0-9_]+)$/;

/** Answers one request of the API, after drawing its faults. Auth and rate limit come before the idempotency layer. */
export async function answerApi(state: State, request: IncomingMessage, url: URL, body: string): Promise<Outcome> {
  if (state.draws("down")) return "reset";
  if (!TEST_KEY.test(request.headers.authorization ?? ""))
    return failure(401, "invalid_request_error", "Invalid API Key provided.");
  if (state.draws("rate_limit")) {
    const limited = failure(429, "invalid_request_error", "Too many requests.", { code: "rate_limit" });
    return { ...limited, headers: { "retry-after": RETRY_AFTER } };
  }
  if (request.method === "GET") return read(state, url);
  if (request.method !== "POST") return missing("route", url.pathname);
  return write(state, request.headers, url, body);
}

async function read(state: State, url: URL): Promise<Outcome> {
  const query = readForm(url.search.slice(1));
  if (query === undefined) return invalid("Malformed query");
  if (state.faults.slow_ms > 0) await wait(state.faults.slow_ms, undefined, { ref: false });
  switch (url.pathname) {
    case "/v1/payment_intents/search":
      return state.draws("search_down")
        ? INTERNAL
        : answerSearch(state, query, (intent: Intent) => publicIntent(intent));
    case "/v1/payment_intents":
      return state.draws("list_down")
        ? INTERNAL
        : answerList(state.intents.values(), query, url.pathname, publicIntent);
    case "/v1/refunds": {
      if (state.draws("list_down")) return INTERNAL;
      const of = url.searchParams.get("payment_intent");
      const refunds = [...state.refunds.values()].filter((refund) => of === null || refund.intentId === of);
      return answerList(refunds, query, url.pathname, publicRefund);
    }
    default:
      return readOne(state, url.pathname);
  }
}

function readOne(state: State, path: string): Reply {
  const [, kind = "", id = ""] = ONE.exec(path) ?? [];
  const intent = kind === "payment_intents" ? state.intents.get(id) : undefined;
  if (intent !== undefined) return { status: 200, body: publicIntent(intent) };
  const refund = kind === "refunds" ? state.refunds.get(id) : undefined;
  return refund === undefined ? missing(kind || "route", id || path) : { status: 200, body: publicRefund(refund) };
}

async function write(state: State, headers: IncomingHttpHeaders, url: URL, body: string): Promise<Outcome> {
  const key = headers["idempotency-key"]?.toString();
  if (headers["content-type"]?.startsWith(FORM) !== true) return invalid(`The body must be ${FORM}.`);
  if (key !== undefined && (key === "" || key.length > MAX_KEY)) return invalid("Invalid Idempotency-Key");
  const form = readForm(body);
  if (form === undefined) return invalid("Malformed form");
  const prepare = EFFECTS[url.pathname];
  if (prepare === undefined) return missing("route", url.pathname);
  if (key !== undefined) state.requests.set(key, (state.requests.get(key) ?? 0) + 1);
  if (state.draws("timeout_before")) return "silence";
  if (state.draws("error_before")) return INTERNAL;
  if (state.draws("key_in_use")) return keyInUse();
  return oncePerKey(state, { key, endpoint: url.pathname, form: body }, async () => {
    if (state.faults.late_ms > 0) await wait(state.faults.late_ms, undefined, { ref: false });
    const effect = prepare(state, form);
    if ("status" in effect) return { kept: undefined, sent: effect };
    // Begun and failed: the 500 is kept for this key, and there is no object.
    if (state.draws("error_frozen")) return { kept: INTERNAL, sent: INTERNAL };
    const done = effect.act(state.draws("processing"));
    const frozen = state.draws("error_after_accept");
    const kept = frozen ? INTERNAL : done;
    if (state.faults.slow_ms > 0) await wait(state.faults.slow_ms, undefined, { ref: false });
    return { kept, sent: brokenAnswer(state) ?? kept };
  });
}

/** Faults of the way back: the effect and its kept answer stand. */
function brokenAnswer(state: State): Outcome | undefined {
  if (state.draws("timeout_after_accept")) return "silence";
  if (state.draws("reset_after_accept")) return "reset";
  return state.draws("garbage") ? "garbage" : undefined;
}

type Prepared = Reply | { act(processing: boolean): Reply };

const EFFECTS: Readonly<Record<string, (state: State, form: Form) => Prepared>> = {
  "/v1/payment_intents": (state, form) => {
    const wanted = readNewIntent(form);
    if ("status" in wanted) return wanted;
    return { act: (processing) => answerNewIntent(makeIntent(state, wanted, processing)) };
  },
  "/v1/refunds": (state, form) => {
    const wanted = readNewRefund(state, form);
    if ("status" in wanted) return wanted;
    return { act: (processing) => ({ status: 200, body: publicRefund(makeRefund(state, wanted, processing)) }) };
  },
};
