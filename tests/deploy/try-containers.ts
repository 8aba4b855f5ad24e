import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@/cli/startup/listen";
import { findWay, NoContainers, openEngine, pullNode, pullPostgres, type ContainerEngine } from "./container-engine";
import { expectEqual, orderTwice } from "./order-twice";

const LIMIT_MS = 300_000;
const POLL_MS = 1_000;
const OUTPUT_MAX = 64 * 1024 * 1024;
const IMAGE = "onceboard-example";
const CLI = ["node", "/app/node_modules/onceboard/dist/cli/onceboard.js"];

export interface ContainerTrial {
  /** An empty folder. */
  readonly scratch: string;
  /** What the build is given, with `deploy/.env`. */
  readonly context: string;
  readonly say: (line: string) => void;
}

/**
 * Builds the image with Podman and runs the compose file with podman-compose: health checks, one key twice, `doctor`, and the end of
 * each process. Says in one line why not where no container runs.
 *
 * @throws Error in one sentence when something is not as it should
 */
export async function tryContainers({ scratch, context, say }: ContainerTrial): Promise<void> {
  const node = /NODE_IMAGE=(\S+)/.exec(readFileSync(join(context, "deploy/Containerfile"), "utf8"))?.[1] ?? "";
  const base = process.env["NODE_IMAGE"] ?? node;
  const postgres =
    /image: (\S*postgres:\S+)/.exec(readFileSync(join(context, "deploy/compose.yaml"), "utf8"))?.[1] ?? "";
  let engine: ContainerEngine | undefined;
  try {
    const folder = join(scratch, "podman");
    engine = openEngine(folder);
    say(pullNode(engine, base, scratch));
    findWay(engine, base, folder);
    say(pullPostgres(engine, postgres, base));
    say("building the image …");
    const words = ["--network", "host", "--build-arg", `NODE_IMAGE=${base}`, "--file", "deploy/Containerfile"];
    engine.podman(["build", "--format", "docker", ...words, "--target", "example", "--tag", IMAGE, context]);
    await tryCompose(engine, { scratch, context, say });
    say("The image is built, and the compose file runs.");
  } catch (error) {
    if (!(error instanceof NoContainers)) throw error;
    say(`skipped: ${error.message}`);
  } finally {
    engine?.close();
  }
}

/** The image is there; deploy/README.md has these commands for Podman. */
export async function tryCompose(engine: ContainerEngine, { context, say }: ContainerTrial): Promise<void> {
  const port = String(await freePort());
  appendFileSync(join(context, "deploy/.env"), `HOST_PORT=${port}\nPUBLIC_URL=http://localhost:${port}\n`);
  const compose = (...words: readonly string[]): string =>
    execFileSync("podman-compose", ["-f", "deploy/compose.yaml", ...words], {
      env: engine.env,
      cwd: context,
      encoding: "utf8",
      maxBuffer: OUTPUT_MAX,
      stdio: "pipe",
    });
  const run = (...words: readonly string[]): string => compose("run", "-T", "--rm", "--no-deps", ...words);
  try {
    compose("up", "--detach", "postgres");
    await healthy(engine, "onceboard_postgres_1");
    run("migrate");
    compose("up", "--detach", "--no-deps", "serve", "worker");
    for (const name of ["serve", "worker"]) {
      await healthy(engine, `onceboard_${name}_1`);
      say(`${name} is healthy`);
      expectConfined(engine, `onceboard_${name}_1`);
    }
    run("serve", "operator", "--email", "you@example.com", "--password", "change this now", "--role", "admin");
    const key = /^(ob_\S+)\s*$/m.exec(
      run("serve", "api-key", "--tenant", "acme", "--name", "shop", "--scopes", "orders"),
    );
    await orderTwice(`http://127.0.0.1:${port}`, key?.[1] ?? "");
    expectEqual("the sign-in page", (await fetch(`http://127.0.0.1:${port}/sign-in`)).status, 200);
    engine.podman(["exec", "onceboard_serve_1", ...CLI, "doctor"]);
    say("doctor finds nothing wrong");
    for (const name of ["onceboard_worker_1", "onceboard_serve_1"]) {
      engine.podman(["stop", "--time", "15", name]);
      const code = engine.podman(["inspect", name, "--format", "{{.State.ExitCode}}"]).trim();
      expectEqual(`the end of ${name}`, code, "0");
    }
  } finally {
    compose("down", "--volumes");
  }
}

async function healthy({ env }: ContainerEngine, name: string): Promise<void> {
  const until = Date.now() + LIMIT_MS;
  let said = "";
  while (Date.now() < until) {
    const check = spawnSync("podman", ["healthcheck", "run", name], { env, encoding: "utf8" });
    if (check.status === 0) return;
    said = `${check.stdout}${check.stderr}`;
    await delay(POLL_MS);
  }
  throw new Error(`${name} did not become healthy: ${said}`);
}

/** As user 1000, without any capability, the root read-only but for /tmp and /data. */
function expectConfined({ podman }: ContainerEngine, name: string): void {
  const tried = "touch /app/x 2>/dev/null || echo closed; touch /tmp/x /data/x && echo open";
  const said = podman(["exec", name, "sh", "-c", `id -u; grep -E 'CapEff|NoNewPrivs' /proc/self/status; ${tried}`]);
  const words = said.trim().split(/\s+/);
  expectEqual(`what ${name} may`, words.join(" "), "1000 CapEff: 0000000000000000 NoNewPrivs: 1 closed open");
}
