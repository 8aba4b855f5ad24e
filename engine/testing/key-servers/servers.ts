import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { freePort, openBrokerDirectory, startProgram, untilUp, type Program } from "../broker-process";

const FOUND_WITHIN_MS = 110_000;
const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;
/** Any answer will do. */
const HTTP_HELLO = Buffer.from("GET / HTTP/1.0\r\n\r\n");
const TOKEN = "test-root";

/** Paths of programs, and a sentence for each that is missing. */
export interface KeyServerPrograms {
  readonly vault?: string;
  readonly kms?: string;
  readonly missing: readonly string[];
}

export function findKeyServers(): KeyServerPrograms {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["engine/testing/key-servers/find-key-servers.mjs"], {
    encoding: "utf8",
    timeout: FOUND_WITHIN_MS,
  });
  if (status === 0) return JSON.parse(stdout) as KeyServerPrograms;
  return { missing: [stderr.trim().split("\n").at(-1) ?? "Servers of key stores could not be looked for."] };
}

export interface KeyServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface VaultServer extends KeyServer {
  readonly token: string;
  /** Asks its HTTP API as root. @param path such as `sys/seal` */
  ask(method: string, path: string, body?: object): Promise<unknown>;
}

/** OpenBao or Vault in its development mode, in memory, with transit mounted at `transit`. */
export async function startVault(program: string): Promise<VaultServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const args = [`-dev-root-token-id=${TOKEN}`, `-dev-listen-address=127.0.0.1:${String(port)}`, "-dev-no-store-token"];
  const server = await start("vault", port, (cwd) => startProgram(program, ["server", "-dev", ...args], { cwd }));
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { "X-Vault-Token": TOKEN };
    const answer = await fetch(`${url}/v1/${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };
  await untilAnswers(() => ask("GET", "sys/health"));
  await ask("POST", "sys/mounts/transit", { type: "transit" });
  return { url, token: TOKEN, ask, stop: server.stop };
}

/** local-kms, which speaks AWS KMS and refuses what a key's state does not allow. */
export async function startLocalKms(program: string): Promise<KeyServer> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), KMS_REGION: "eu-west-1", KMS_ACCOUNT_ID: "111122223333" };
  const server = await start("kms", port, (cwd) =>
    startProgram(program, [], { cwd, env: { ...env, KMS_DATA_PATH: cwd, KMS_SEED_PATH: `${cwd}/none` } }),
  );
  return { url: `http://127.0.0.1:${String(port)}`, stop: server.stop };
}

async function start(name: string, port: number, begin: (directory: string) => Program) {
  const place = openBrokerDirectory(name);
  const program = begin(place.directory);
  place.holds(program.pid);
  await untilUp(program, port, HTTP_HELLO);
  const stop = async (): Promise<void> => {
    program.signal("SIGKILL");
    await program.ended;
    await place.remove();
  };
  return { stop };
}

async function untilAnswers(ask: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(POLL_MS);
    }
  }
}
