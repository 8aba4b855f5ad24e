import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { StartConfig } from "@/domain/config";
import { openDataDir } from "./data-dir";
import { BUILT, ROOT } from "./installation";

/** The build that the package holds beside the one for a host's root; what its base path is, it says itself. */
const TEMPLATE = ".next-base";
/** Copies that are kept: of this version, and of those that may still run beside it. */
const COPIES_KEPT = 4;
const DIGEST_LENGTH = 12;

/**
 * Next writes the base path into what it builds. The repository is built for one; the package holds a build with a stand-in, of which
 * a copy with the path is kept in the data directory: the package itself is never written to.
 *
 * @returns the directory that Next serves: its configuration is there, and a build for this base path
 * @throws Error in one sentence when there is none, or the copy cannot be written
 */
export function consoleDirectory({ basePath, dataDir }: Pick<StartConfig, "basePath" | "dataDir">): string {
  const built = builtFor(join(ROOT, process.env["NEXT_DIST_DIR"] ?? ".next"));
  // Without any build Next says so.
  if (built === undefined || built === basePath) return ROOT;
  if (BUILT) return copyFor(basePath, { template: join(ROOT, TEMPLATE), dataDir, root: ROOT });
  const said = (path: string): string => (path === "" ? "the root of a host" : path);
  throw new Error(
    `The console is built for ${said(built)} and BASE_PATH names ${said(basePath)}: run npm run build with this BASE_PATH.`,
  );
}

/** @returns the base path of a build; undefined where there is no build */
function builtFor(build: string): string | undefined {
  const manifest = join(build, "routes-manifest.json");
  if (!existsSync(manifest)) return undefined;
  const { basePath } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly basePath?: string };
  return basePath ?? "";
}

interface CopyOptions {
  /** A build whose base path stands for any other. */
  readonly template: string;
  readonly dataDir: string;
  /** Of the installation: the configuration is there, and a build finds packages that are not part of it from there. */
  readonly root: string;
}

/** @returns the copy for a base path, made unless it is there */
export function copyFor(basePath: string, { template, dataDir, root }: CopyOptions): string {
  const standIn = builtFor(template);
  if (standIn === undefined || standIn === "") throw new Error("This package has no console for a base path.");
  const copies = join(openDataDir(dataDir), "console");
  const home = join(copies, nameOf(readFileSync(join(template, "BUILD_ID"), "utf8"), basePath, root));
  if (!existsSync(home)) make(home, (half) => write(half, { template, root, standIn, basePath }));
  const now = new Date();
  utimesSync(home, now, now);
  forgetOld(copies);
  return join(home, ...levelsOf(root).map(() => "in"));
}

function nameOf(...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return digest.slice(0, DIGEST_LENGTH);
}

/** Whole or not at all, also where several processes begin at once. */
function make(home: string, fill: (half: string) => void): void {
  const half = `${home}.${String(process.pid)}`;
  try {
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    fill(half);
    renameSync(half, home);
  } catch (error) {
    if (existsSync(half)) rmSync(half, { recursive: true });
    // Another process was first.
    if (existsSync(home)) return;
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Error(`The console for BASE_PATH could not be written to ${dirname(home)} (${reason}).`);
  }
}

interface Replaced extends Pick<CopyOptions, "template" | "root"> {
  readonly standIn: string;
  readonly basePath: string;
}

function write(half: string, { template, root, standIn, basePath }: Replaced): void {
  let place = half;
  // Packages are looked for in each directory above a file: the nearest one first, as from the place of the package.
  for (const level of levelsOf(root)) {
    symlinkSync(level, join(place, "node_modules"), "junction");
    place = join(place, "in");
    mkdirSync(place);
  }
  const config = pathToFileURL(join(root, "next.config.js")).href;
  writeFileSync(join(place, "next.config.mjs"), `export { default } from ${JSON.stringify(config)};\n`);
  const copy = join(place, ".next");
  cpSync(template, copy, { recursive: true });
  for (const path of filesBelow(copy)) {
    const bytes = readFileSync(path);
    if (bytes.includes(standIn)) writeFileSync(path, bytes.toString("utf8").replaceAll(standIn, basePath));
  }
}

/** @returns the directories of packages that a file in `from` may load from, the farthest one first */
function levelsOf(from: string): readonly string[] {
  const found: string[] = [];
  for (let place = from; ; place = dirname(place)) {
    const directory = basename(place) === "node_modules" ? place : join(place, "node_modules");
    if (existsSync(directory) && !found.includes(directory)) found.unshift(directory);
    if (dirname(place) === place) return found;
  }
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

/** The copy that was used longest ago goes, and what a process that was killed left half. */
function forgetOld(copies: string): void {
  const all = readdirSync(copies)
    .map((name) => ({ path: join(copies, name), usedAt: statSync(join(copies, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const { path } of all.slice(COPIES_KEPT)) rmSync(path, { recursive: true, force: true });
}
