import type { Outcome, Reply } from "../pretend-server";
import { failure } from "./reply";
import type { KeptAnswer, State } from "./state";

/** After this a key is pruned and starts a new operation. */
export const KEY_LIFE_MS = 24 * 3_600_000;

/**
 * Runs `execute` once per key, as Stripe's API v1 does: other parameters are refused, the answer is kept whatever it is once
 * the execution began (also a 500), and replayed for 24 hours. What `execute` refuses before it begins is not kept.
 *
 * @param execute `kept`: what stands for the key from now on, undefined when the execution did not begin
 */
export async function oncePerKey(
  state: State,
  request: { readonly key: string | undefined; readonly endpoint: string; readonly form: string },
  execute: () => Promise<{ readonly kept: Reply | undefined; readonly sent: Outcome }>,
): Promise<Outcome> {
  const { key, endpoint } = request;
  if (key === undefined) return (await execute()).sent;
  const params = [...new URLSearchParams(request.form)]
    .map((pair) => pair.join("="))
    .sort()
    .join("&");
  const before = state.keys.get(key);
  if (before !== undefined && state.nowMs() - before.atMs < KEY_LIFE_MS)
    return repeat(before, { key, endpoint, params });
  const entry = { endpoint, params, atMs: state.nowMs(), reply: undefined };
  state.keys.set(key, entry);
  const { kept, sent } = await execute();
  if (kept === undefined) state.keys.delete(key);
  else state.keys.set(key, { ...entry, reply: kept });
  return typeof sent === "string" ? sent : withHeaders(sent, { "idempotency-key": key });
}

function repeat(
  before: KeptAnswer,
  now: { readonly key: string; readonly endpoint: string; readonly params: string },
): Reply {
  if (before.endpoint !== now.endpoint || before.params !== now.params) {
    const what = before.endpoint === now.endpoint ? "with the same parameters" : "for the same endpoint";
    const message = `Keys for idempotent requests can only be used ${what} they were first used with.`;
    return failure(400, "idempotency_error", message);
  }
  if (before.reply === undefined) return keyInUse();
  return withHeaders(before.reply, { "idempotency-key": now.key, "idempotent-replayed": "true" });
}

export function keyInUse(): Reply {
  const message = "There is currently another in-progress request using this Idempotent Key.";
  return failure(409, "idempotency_error", message, { code: "idempotency_key_in_use" });
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
