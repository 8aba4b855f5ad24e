import { readFile } from "node:fs/promises";
import { KeyStoreUnavailableError } from "../key-store";
import { ASK_MS } from "./managed";

/** Of an answer; a list of keys has some 45 bytes a key. */
const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
const STORE = "onceboard-store";
const ID_CHARACTERS = 32;
const NOT_FOUND = 404;
export const REFUSED = 400;

/** What KEY_STORE=vault needs. */
export interface VaultOptions {
  /** KEY_STORE_URL: origin of Vault or OpenBao. */
  readonly url: string;
  /** KEY_STORE_NAME: where a transit engine is mounted, such as `transit` or `NAMESPACE/transit`. */
  readonly mount: string;
  /** KEY_STORE_TOKEN, or KEY_STORE_TOKEN_FILE, which an agent keeps fresh: read at each question. */
  readonly token: { readonly value: string } | { readonly file: string };
}

export interface VaultAnswer {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What Vault answered is the service's own word, and no outage of ours. */
export class VaultError extends Error {}

/** Asks a transit engine by Vault's documented HTTP API: there is no client of HashiCorp's for JavaScript. */
export function createTransit({ url, mount, token }: VaultOptions) {
  const base = `${url.replace(/\/+$/, "")}/v1/${mount.replace(/^\/+|\/+$/g, "")}`;

  async function call(method: string, path: string, body?: object): Promise<VaultAnswer> {
    const secret = "value" in token ? token.value : (await readFile(token.file, "utf8")).trim();
    const answer = await fetch(`${base}/${path}`, {
      method,
      redirect: "error",
      headers: { "X-Vault-Token": secret, "X-Vault-Request": "true", "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ASK_MS),
    });
    const text = await readLimited(answer);
    const { data } = (text === "" ? {} : JSON.parse(text)) as { data?: VaultAnswer["data"] | null };
    return { status: answer.status, data: data ?? {} };
  }

  /** @throws VaultError when it was not done */
  async function done(method: string, path: string, body?: object): Promise<VaultAnswer["data"]> {
    const { status, data } = await call(method, path, body);
    if (status >= REFUSED) throw new VaultError(`${method} answered ${String(status)}`);
    return data;
  }

  return {
    call,
    done,
    /** Making a key that is there changes nothing, so any number of processes may do it at once. */
    async make(key: string = STORE): Promise<void> {
      await done("POST", `keys/${key}`, { type: "aes256-gcm96", exportable: false });
    },
    /** A mount that is not there answers like a key that is not there: by this key a process sees that it is the same mount. */
    async storeId(): Promise<string> {
      const input = Buffer.from("onceboard key store").toString("base64");
      const { status, data } = await call("POST", `hmac/${STORE}`, { input, key_version: 1 });
      if (status === REFUSED || status === NOT_FOUND)
        throw new KeyStoreUnavailableError(`Vault has no key ${STORE} in ${mount}: migrate`);
      const { hmac } = data;
      if (status > REFUSED || typeof hmac !== "string") throw new VaultError(`hmac answered ${String(status)}`);
      return Buffer.from(hmac.replace(/^vault:v1:/, ""), "base64")
        .toString("hex")
        .slice(0, ID_CHARACTERS);
    },
    async destroy(key: string): Promise<void> {
      await call("POST", `keys/${key}/config`, { deletion_allowed: true });
      await call("DELETE", `keys/${key}`);
      // Its own word for a key that is not there is that of any refusal.
      const { status } = await call("GET", `keys/${key}`);
      if (status !== NOT_FOUND) throw new VaultError(`the key may still be there: ${String(status)}`);
    },
  };
}

/** @returns a name of what went wrong, without an address or a secret */
export function vaultReason(error: unknown): string {
  if (error instanceof VaultError) return error.message;
  const { cause } = error as { cause?: { code?: unknown } };
  if (typeof cause?.code === "string") return cause.code;
  return error instanceof Error ? error.name : "unknown";
}

/** @throws VaultError when there is more */
async function readLimited({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > ANSWER_LIMIT_BYTES) throw new VaultError("the answer is too long");
      chunks.push(chunk);
    }
  return Buffer.concat(chunks).toString("utf8");
}
