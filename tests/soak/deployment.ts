import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/db/embedded/server";
import type { CrashEnvironment } from "../crash/environment";
import type { FaultRandom } from "../crash/messages/faults";
import { startMember, type ProcessMember } from "./process-member";

/** The processes of a deployment as `npm run api`, `worker` and the sandbox start them. */
export interface SoakDeployment {
  readonly apis: readonly ProcessMember[];
  readonly workers: readonly ProcessMember[];
  readonly sandbox: ProcessMember;
  readonly apiPorts: readonly number[];
  readonly sandboxPort: number;
  /** How often a process started with a clock that is an hour off. */
  shifted(): number;
  /** From now on every start has the right clock; settles when all run with it. */
  rightClocks(): Promise<void>;
  close(): Promise<void>;
}

const LEASE_SECONDS = "5";
const PROVIDER_TIMEOUT_MS = "2000";
const WORKER_INTERVAL_MS = "200";
const HOUR_MS = 3_600_000;
const CLOCK = new URL("shifted-clock.mjs", import.meta.url).href;
const ROOT = join(import.meta.dirname, "../..");

type Variables = Readonly<Record<string, string>>;

interface Ports {
  readonly one: number;
  readonly two: number;
  readonly sandbox: number;
}

/** @param broker variables of where topics leave for, but for those that the campaign gave to HTTP */
export async function startSoakDeployment(
  place: CrashEnvironment,
  broker: Variables,
  random: FaultRandom,
): Promise<SoakDeployment> {
  const dataDir = mkdtempSync(join(tmpdir(), "onceboard-soak-"));
  const ports = { one: await freePort(), two: await freePort(), sandbox: await freePort() };
  const variables = variablesOf(place, ports, broker);
  let right = false;
  let shifted = 0;
  /** Of two processes of a kind the second one may have a clock that is off, either way. */
  const clock = (): Variables => {
    if (right || random() < 0.5) return {};
    shifted += 1;
    const by = random() < 0.5 ? HOUR_MS : -HOUR_MS;
    return { NODE_OPTIONS: `--import ${CLOCK}`, SOAK_CLOCK_MS: String(by) };
  };
  const begin = (name: string, entry: string, ready: RegExp, more: () => Variables): Promise<ProcessMember> =>
    startMember({
      ...{ name, entry, ready },
      env: () => ({ ...process.env, ...variables, DATA_DIR: join(dataDir, name), ...more() }),
    });
  const api = (name: string, port: number, more: () => Variables) =>
    begin(name, "cli/api.ts", / ready on /, () => ({ PORT: String(port), ...more() }));
  const worker = (name: string, more: () => Variables) => begin(name, "cli/worker.ts", /worker ready/, more);
  const sandbox = await begin("sandbox", "payments/sandbox/main.ts", / on http/, () => ({}));
  const [api1, api2, worker1, worker2] = await Promise.all([
    api("api-1", ports.one, () => ({})),
    api("api-2", ports.two, clock),
    worker("worker-1", () => ({})),
    worker("worker-2", clock),
  ]);
  return {
    apis: [api1, api2],
    workers: [worker1, worker2],
    sandbox,
    apiPorts: [ports.one, ports.two],
    sandboxPort: ports.sandbox,
    shifted: () => shifted,
    async rightClocks() {
      right = true;
      await Promise.all([api2.kill(), worker2.kill()]);
    },
    async close() {
      await Promise.all([api1, api2, worker1, worker2, sandbox].map((each) => each.close()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function variablesOf(place: CrashEnvironment, { one, sandbox }: Ports, broker: Variables): Variables {
  return {
    ONCEBOARD_CONFIG: join(ROOT, "tests/soak/onceboard.config.ts"),
    DATABASE_URL: place.url,
    SECRET: place.secret,
    ENCRYPTION_KEYS: place.encryptionKeys,
    SANDBOX_PORT: String(sandbox),
    PUBLIC_URL: `http://localhost:${String(one)}`,
    LEASE_SECONDS,
    PROVIDER_TIMEOUT_MS,
    WORKER_INTERVAL_MS,
    ...broker,
    LOG_LEVEL: "silent",
    NO_COLOR: "1",
  };
}
