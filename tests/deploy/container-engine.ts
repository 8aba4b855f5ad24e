import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PULL_MS = 60_000;
const MEGABYTE = 1024 * 1024;
const OUTPUT_MAX = 64 * MEGABYTE;
/** Some kernels let nobody raise a limit, and Podman asks for more than there is. */
const LOW_LIMITS = '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n';
/** Tried in this order, until a container runs: as Podman is set up, then for older control groups. */
const WAYS = ["", LOW_LIMITS, `${LOW_LIMITS}[engine]\nruntime = "runc"\n`];

/** Podman with images, containers and settings of its own below one folder. */
export interface ContainerEngine {
  readonly env: NodeJS.ProcessEnv;
  /** @returns its output. @throws Error with that when it fails */
  readonly podman: (words: readonly string[]) => string;
  /** Ends and removes everything below the folder that Podman holds. */
  readonly close: () => void;
}

/** Why there is none here, in a sentence that people read. */
export class NoContainers extends Error {}

/** @returns whether a program of this name can be run */
export const isThere = (program: string): boolean =>
  spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

/**
 * @param scratch an empty folder
 * @throws NoContainers where Podman is not installed
 */
export function openEngine(scratch: string): ContainerEngine {
  if (!isThere("podman") || !isThere("podman-compose"))
    throw new NoContainers("podman and podman-compose are not on PATH");
  mkdirSync(scratch);
  const [storage, containers] = [join(scratch, "storage.conf"), join(scratch, "containers.conf")];
  writeFileSync(
    storage,
    `[storage]\ndriver = "overlay"\ngraphroot = "${scratch}/images"\nrunroot = "${scratch}/run"\n`,
  );
  writeFileSync(containers, networksIn(scratch));
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: containers };
  return {
    env,
    podman: (words) => execFileSync("podman", words, { env, encoding: "utf8", maxBuffer: OUTPUT_MAX, stdio: "pipe" }),
    close: () => {
      spawnSync("podman", ["rm", "--all", "--force", "--volumes"], { env, stdio: "ignore" });
      spawnSync("umount", [join(scratch, "images/overlay")], { stdio: "ignore" });
    },
  };
}

const networksIn = (scratch: string): string => `[network]\nnetwork_config_dir = "${scratch}/networks"\n`;

/**
 * Settles on the first way in which a container runs.
 *
 * @throws NoContainers with what the last way said
 */
export function findWay({ env }: ContainerEngine, image: string, scratch: string): void {
  let said = "";
  for (const way of WAYS) {
    writeFileSync(env["CONTAINERS_CONF"] ?? "", way + networksIn(scratch));
    const run = spawnSync("podman", ["run", "--rm", "--init", image, "true"], { env, encoding: "utf8" });
    if (run.status === 0) return;
    said = run.stderr;
  }
  throw new NoContainers(`no container runs on this machine: ${said.trim()}`);
}

/**
 * The image of this name from its registry; where that is not reached, one with Debian and this machine's Node under the same name.
 *
 * @returns a line about what it is
 * @throws NoContainers where neither can be had
 */
export function pullNode({ env }: ContainerEngine, image: string, scratch: string): string {
  const pulled = spawnSync("podman", ["pull", "--quiet", image], { env, stdio: "ignore", timeout: PULL_MS });
  if (pulled.status === 0) return `${image} is its registry's`;
  if (!isThere("debootstrap")) throw new NoContainers(`${image} cannot be pulled, and debootstrap is not on PATH`);
  const root = join(scratch, "debian");
  execFileSync("debootstrap", ["--variant=minbase", "--include=ca-certificates,libstdc++6", "bookworm", root], {
    stdio: "ignore",
  });
  const modules = join(root, "usr/lib/node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(process.execPath, join(root, "usr/bin/node"));
  const npm = execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim();
  cpSync(join(npm, "npm"), join(modules, "npm"), { recursive: true, verbatimSymlinks: true });
  execFileSync("ln", ["-s", "../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/bin/npm")]);
  const authorities = trustThisMachine(root);
  execFileSync("sh", ["-c", 'tar -C "$0" -c . | podman import "$@"', root, ...authorities, "-", image], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return `${image} is Debian's base system with this machine's Node: no registry answered`;
}

/** What this machine trusts beside the authorities that Node knows, such as a proxy of a company. @returns words of `podman import` */
function trustThisMachine(root: string): string[] {
  const own = process.env["NODE_EXTRA_CA_CERTS"];
  if (own === undefined) return [];
  const kept = "/etc/ssl/certs/of-the-builder.pem";
  mkdirSync(dirname(join(root, kept)), { recursive: true });
  cpSync(own, join(root, kept), { dereference: true });
  return ["--change", `ENV NODE_EXTRA_CA_CERTS=${kept}`];
}

/** The image of PostgreSQL, or what stands in for it: Debian's package behind the same variables, volume and port. */
export function pullPostgres({ env, podman }: ContainerEngine, image: string, base: string): string {
  const pulled = spawnSync("podman", ["pull", "--quiet", image], { env, stdio: "ignore", timeout: PULL_MS });
  if (pulled.status === 0) return `${image} is its registry's`;
  const folder = join(import.meta.dirname, "stand-ins");
  podman(["build", "--network", "host", "--build-arg", `BASE=${base}`, "--tag", image, folder]);
  return `${image} is Debian's PostgreSQL: no registry answered`;
}
