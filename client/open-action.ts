import { PendingActionError } from "./errors";
import type { PendingAction, PendingStore } from "./pending-store";
import { uuidv7 } from "./uuidv7";

export interface NewAction {
  readonly baseUrl: string;
  readonly path: string;
  readonly body: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly key?: string | undefined;
  readonly action?: string | undefined;
}

/** Visible ASCII without comma, quote and semicolon, which mean something in a header. */
const KEY = /^[!#-+\--:<-~]{1,255}$/;
const MAX_NAME = 255;

/**
 * Makes the key of a business action, or finds the one it has already. The key is in the store before the first byte
 * leaves: a crash in between must not lose it.
 *
 * @returns `resumed` when it was pending: somebody may have sent it before
 * @throws TypeError for what cannot be sent; PendingActionError when the name or key is pending with other content
 */
export async function openAction(
  store: PendingStore,
  given: NewAction,
): Promise<{ readonly action: PendingAction; readonly resumed: boolean }> {
  const { baseUrl, path, now } = given;
  if (!path.startsWith("/")) throw new TypeError('A path begins with "/", for example /payments.');
  const key = given.key ?? uuidv7(now);
  if (!KEY.test(key))
    throw new TypeError("A key is 1 to 255 visible ASCII characters without comma, quote, semicolon and space.");
  const name = given.action;
  if (name !== undefined && (name === "" || name.length > MAX_NAME)) {
    throw new TypeError(`The name of an action has 1 to ${String(MAX_NAME)} characters.`);
  }
  const body = given.body === undefined ? "" : JSON.stringify(given.body);
  const action = { key, ...(name === undefined ? {} : { name }), baseUrl, path, body, createdAt: now };
  const kept = await store.open(action);
  const same = kept.baseUrl === baseUrl && kept.path === path && kept.body === body;
  // A caller that names both means that key and no other.
  if (same && (given.key === undefined || given.key === kept.key)) return { action: kept, resumed: kept !== action };
  throw new PendingActionError(
    `${name === undefined ? "This key" : `"${name}"`} is pending with other content: resume it, or look and forget it.`,
    { key: kept.key, attempts: [], pending: true },
  );
}

/** @throws TypeError */
export function checkedBaseUrl(text: string): string {
  const { protocol, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol) || search !== "" || hash !== "") {
    throw new TypeError("baseUrl is an http(s) address without query, for example https://pay.example.com.");
  }
  return text.replace(/\/+$/, "");
}

/**
 * What a header cannot hold would fail at every attempt and look like a broken network.
 * @throws TypeError
 */
export function checkedHeaders(
  headers: Readonly<Record<string, string>>,
  apiKey: string | undefined,
): Readonly<Record<string, string>> {
  new Headers({ ...headers, ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) });
  return headers;
}
