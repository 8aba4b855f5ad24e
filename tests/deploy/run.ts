/**
 * Runs the steps of deploy/Containerfile one by one in clean directories, and starts what deploy/compose.yaml starts from the
 * result: as its user, with a root that is read-only.
 *
 *   npm run test:deploy              with npm ci and the package, as the file has it; minutes
 *   npm run test:deploy -- --here    takes node_modules and .package/ of this directory for what these two make
 *   npm run test:deploy -- --containers    builds the image with Podman and runs the compose file with podman-compose, where they work
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "@/db/testing/test-server";
import { readContainerfile } from "./containerfile";
import { createBuilder } from "./rooms";
import { tryContainers } from "./try-containers";
import { tryImage } from "./try-image";

const here = process.argv.includes("--here");
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (process.platform !== "linux" || process.getuid?.() !== 0) {
  process.stderr.write("The steps want roots of their own, which root on Linux alone can make.\n");
  process.exit(1);
}
const scratch = mkdtempSync(join(tmpdir(), "onceboard-deploy-"));
try {
  if (process.argv.includes("--containers")) await inContainers();
  else await inRoots();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function inContainers(): Promise<void> {
  const context = copySources(join(scratch, "context"));
  const env = Object.entries(secrets()).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(context, "deploy/.env"), env.join(""), { mode: 0o600 });
  await tryContainers({ scratch, context, say });
}

async function inRoots(): Promise<void> {
  const server = await startTestServer();
  try {
    const stages = readContainerfile(readFileSync("deploy/Containerfile", "utf8"));
    const context = copySources(join(scratch, "context"));
    const made = here
      ? new Map([
          [/npm ci[^&]*/, "node_modules"],
          [/npm run package/, ".package"],
        ])
      : new Map<RegExp, string>();
    const builder = createBuilder({ stages, scratch, context, made });
    const room = builder.build("example", say);
    await tryImage({ stages, builder, room, server: server.url, secrets: secrets(), say });
    say("The container's steps work, and what they make runs.");
  } finally {
    await server.stop();
  }
}

/** What git knows, as a fresh clone has it; .dockerignore keeps everything else out of a real build. */
function copySources(to: string): string {
  mkdirSync(to);
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(name))) cpSync(file, join(to, file));
  return to;
}

/** The block of deploy/README.md that writes `.env`, run as it stands. */
function secrets(): Record<string, string> {
  const page = readFileSync("deploy/README.md", "utf8");
  const [, block] = /```sh\n([\s\S]*?\nENV\n)/.exec(page.slice(page.indexOf("## Compose"))) ?? [];
  if (block === undefined) throw new Error("deploy/README.md has no block that writes deploy/.env");
  const folder = join(scratch, "env");
  mkdirSync(join(folder, "deploy"), { recursive: true });
  execFileSync("sh", ["-eu", "-c", block], { cwd: folder });
  const text = readFileSync(join(folder, "deploy/.env"), "utf8");
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}
