import { once } from "node:events";
import { createApiKey } from "@/auth/api-keys/api-keys";
import { freePort } from "@/db/embedded/server";
import { PRINCIPAL } from "../call-result";
import { keepTrack } from "../children";
import type { CrashEnvironment } from "../environment";
import { startProcess } from "../../shared/start-process";

/** A real server process, `cli/api.ts`. */
export interface ApiProcess {
  readonly port: number;
  stop(): Promise<void>;
}

/** On a machine that is busy with the runs beside it. */
const READY_MS = 120_000;

/** @throws Error with its output when it does not come up */
export async function startApi(place: CrashEnvironment, sandboxPort: number): Promise<ApiProcess> {
  const port = await freePort();
  const options = { env: environment(place, sandboxPort, port), ready: / ready on /, readyMs: READY_MS };
  const server = await startProcess(["--import", "tsx", "cli/api.ts"], options, keepTrack);
  const gone = once(server, "exit");
  return {
    port,
    async stop() {
      server.kill("SIGKILL");
      await gone;
    },
  };
}

function environment(place: CrashEnvironment, sandboxPort: number, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: place.url,
    SECRET: place.secret,
    ENCRYPTION_KEYS: place.encryptionKeys,
    SANDBOX_PORT: String(sandboxPort),
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${String(port)}`,
    LOG_LEVEL: "silent",
    NO_COLOR: "1",
  };
}

/** @returns a key of the one client that all callers of a run are */
export async function apiKeyFor(place: CrashEnvironment, tenant: string): Promise<string> {
  return (await createApiKey(place.db, { tenant, name: PRINCIPAL, scopes: ["payments", "accounts"] })).key;
}
