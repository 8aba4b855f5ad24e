import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";

/** As many as a process of ours that answers requests has (http/container.ts). */
export const PEER_CONNECTIONS = 32;
/** Those whose turn is over give their connections back before the next ones need theirs. */
const IDLE_MS = 1_000;
const CLIENT_NAME = "bench-client";

/** What the process of a peer works with. */
export interface PeerPlace {
  readonly url: string;
  readonly pool: pg.Pool;
  /** @returns the caller's name; undefined for a token that nobody was given. From memory, as the cheapest check there is. */
  readonly clientOf: (authorization: string | undefined) => string | undefined;
  /** A module of the peer, by its path below the folder that it was installed in. */
  load<Module>(path: string): Promise<Module>;
  /** The same of a CommonJS module. */
  required<Module>(path: string): Module;
}

export interface MountedPeer {
  answer(request: IncomingMessage, response: ServerResponse): void;
  close?(): Promise<void>;
}

export type Mount = (place: PeerPlace) => Promise<MountedPeer>;

export function openPeerPlace(env: NodeJS.ProcessEnv): PeerPlace {
  const { DATABASE_URL: url = "", PEER_DIR: folder = "", PEER_TOKENS: tokens = "" } = env;
  const known = new Set(tokens.split(",").map(hashOf));
  const require = createRequire(import.meta.url);
  return {
    url,
    pool: peerPool(url),
    clientOf: (header = "") => (known.has(hashOf(header.replace(/^Bearer /, ""))) ? CLIENT_NAME : undefined),
    async load<Module>(path: string) {
      return (await import(pathToFileURL(join(folder, path)).href)) as Module;
    },
    required<Module>(path: string) {
      return require(join(folder, path)) as Module;
    },
  };
}

/** A pool as the driver makes it, with nothing of ours around it. */
export function peerPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: PEER_CONNECTIONS, idleTimeoutMillis: IDLE_MS });
  pool.on("error", (error) => process.stderr.write(`${error.message}\n`));
  return pool;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
