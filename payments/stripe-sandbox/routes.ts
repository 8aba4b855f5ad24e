import { setTimeout as wait } from "node:timers/promises";
import { readForm, type Form } from "./form";
import { keyInUse, oncePerKey } from "./idempotency";
import { answerList, answerSearch } from "./lists";
import { answerNewIntent, makeIntent, publicIntent, readNewIntent } from "./payment-intents";
import { makeRefund, publicRefund, readNewRefund } from "./refunds";
import { failure, invalid, missing, type StripeOutcome, type StripeReply } from "./reply";
import type { Intent, State } from "./state";

export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  /** Undefined without one. */
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

const TEST_KEY = /^Bearer (sk|rk)_test_[A-Za-z0-9_]{8,}$/;
const FORM = "application/x-www-form-urlencoded";
const MAX_KEY = 255;
const RETRY_AFTER = "1";
const INTERNAL = failure(500, "api_error", "Something went wrong on our side.");
const ONE = /^\/v1\/(payment_intents|refunds)\/([A-Za-z0-9_]+)$/;

/** Answers one request of the API, after drawing its faults. Auth and rate limit come before the idempotency layer. */
export async function answerApi(state: State, request: WireRequest): Promise<StripeOutcome> {
  if (state.draws("down")) return "reset";
  if (request.authorization === undefined || !TEST_KEY.test(request.authorization))
    return failure(401, "invalid_request_error", "Invalid API Key provided.");
  if (state.draws("rate_limit")) {
    const body = { error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests." } };
    return { status: 429, headers: { "retry-after": RETRY_AFTER }, body };
  }
  if (request.method === "GET") return read(state, request.url);
  if (request.method !== "POST") return missing("route", request.url.pathname);
  return write(state, request);
}

async function read(state: State, url: URL): Promise<StripeOutcome> {
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

function readOne(state: State, path: string): StripeReply {
  const [, kind = "", id = ""] = ONE.exec(path) ?? [];
  const intent = kind === "payment_intents" ? state.intents.get(id) : undefined;
  if (intent !== undefined) return { status: 200, body: publicIntent(intent) };
  const refund = kind === "refunds" ? state.refunds.get(id) : undefined;
  return refund === undefined ? missing(kind || "route", id || path) : { status: 200, body: publicRefund(refund) };
}

async function write(state: State, request: WireRequest): Promise<StripeOutcome> {
  const { idempotencyKey: key, url } = request;
  if (request.contentType?.startsWith(FORM) !== true) return invalid(`The body must be ${FORM}.`);
  if (key !== undefined && (key === "" || key.length > MAX_KEY)) return invalid("Invalid Idempotency-Key");
  const form = readForm(request.body);
  if (form === undefined) return invalid("Malformed form");
  const prepare = EFFECTS[url.pathname];
  if (prepare === undefined) return missing("route", url.pathname);
  if (key !== undefined) state.requests.set(key, (state.requests.get(key) ?? 0) + 1);
  if (state.draws("timeout_before")) return "silence";
  if (state.draws("error_before")) return INTERNAL;
  if (state.draws("key_in_use")) return keyInUse();
  return oncePerKey(state, { key, endpoint: url.pathname, form: request.body }, async () => {
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
function brokenAnswer(state: State): StripeOutcome | undefined {
  if (state.draws("timeout_after_accept")) return "silence";
  if (state.draws("reset_after_accept")) return "reset";
  return state.draws("garbage") ? "garbage" : undefined;
}

type Prepared = StripeReply | { act(processing: boolean): StripeReply };

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
