import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { lineage, readCopy, readEnv, type BuildStage } from "./containerfile";

/** The programs of this machine stand in for those of the base image; everything else of a root is what the steps wrote. */
const BORROWED = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "etc", "dev", "proc"];
/** $1 the root, $2 "ro" or "rw", $3 the one directory that stays writable, $4 what npm keeps, $5 user, then the command. */
const ENTER = `set -eu
root=$1; mode=$2; keep=$3; cache=$4; user=$5; shift 5
for name in ${BORROWED.join(" ")}; do
  [ -e "/$name" ] || continue
  mkdir -p "$root/$name"; mount --rbind "/$name" "$root/$name"
done
mkdir -p "$root/tmp" "$root/root"; mount -t tmpfs tmpfs "$root/tmp"
if [ "$mode" = ro ]; then
  mount --bind "$root" "$root.view"
  mount --make-private "$root.view" 2>/dev/null || true
  for name in ${BORROWED.join(" ")} tmp; do [ -e "$root/$name" ] && mount --rbind "$root/$name" "$root.view/$name"; done
  mount -o remount,bind,ro "$root.view"
  mount --bind "$root$keep" "$root.view$keep"
  root=$root.view
else
  mkdir -p "$root/root/.npm"; mount --bind "$cache" "$root/root/.npm"
fi
cd "$root"
exec chroot --userspec="$user" "$root" /usr/bin/env -i "$@"`;

/** Of a process. */
export type RoomEnvironment = Readonly<Record<string, string>>;

export interface Room {
  readonly root: string;
  readonly env: RoomEnvironment;
  readonly workdir: string;
  readonly user: string;
}

export interface BuilderOptions {
  readonly stages: readonly BuildStage[];
  /** An empty directory, in which each stage has its own. */
  readonly scratch: string;
  /** What the build is given: the sources alone. */
  readonly context: string;
  /** Commands that are not run, and the directory of this one that holds what they make. */
  readonly made: ReadonlyMap<RegExp, string>;
}

/** Runs the instructions of stages one by one, each stage in a clean directory that the steps see as their root. */
export function createBuilder({ stages, scratch, context, made }: BuilderOptions) {
  const rooms = new Map<string, Room>();
  const cache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();

  function build(name: string, say: (line: string) => void): Room {
    const known = rooms.get(name);
    if (known !== undefined) return known;
    const stage = stages.find((each) => each.name === name);
    if (stage === undefined) throw new Error(`there is no stage ${name}`);
    const root = join(scratch, name);
    mkdirSync(root, { mode: 0o755 });
    mkdirSync(`${root}.view`);
    let room: Room = { root, env: {}, workdir: "/", user: "0:0" };
    if (lineage(stages, name).length > 1) {
      const below = build(stage.from, say);
      copyTree(below.root, root);
      room = { ...below, root };
    }
    for (const { name: what, text } of stage.instructions) {
      say(`${name}: ${what} ${text}`);
      if (what === "ENV") room = { ...room, env: { ...room.env, ...readEnv(text) } };
      if (what === "USER") room = { ...room, user: text };
      if (what === "WORKDIR") {
        room = { ...room, workdir: text };
        mkdirSync(join(root, text), { recursive: true });
      }
      if (what === "COPY") copyInto(room, text, say);
      if (what === "RUN") runIn(room, text);
    }
    rooms.set(name, room);
    return room;
  }

  function runIn(room: Room, text: string): void {
    const left = [...made].reduce((command, [pattern, directory]) => {
      if (!pattern.test(command)) return command;
      execFileSync("cp", ["-al", directory, join(room.root, room.workdir)]);
      return command.replace(pattern, "true");
    }, text);
    execFileSync("unshare", enter({ room, cache, view: "rw", command: ["sh", "-c", left] }), {
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  function copyInto(room: Room, text: string, say: (line: string) => void): void {
    const { from, sources, target } = readCopy(text);
    const base = from === undefined ? context : build(from, say).root;
    const to = join(room.root, isAbsolute(target) ? target : join(room.workdir, target));
    for (const source of sources) {
      const path = join(base, source);
      const directory = statSync(path).isDirectory();
      cpSync(path, directory || !target.endsWith("/") ? to : join(to, basename(path)), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
  }

  /** Starts a command in a finished stage: as its user, its root read-only but for DATA_DIR and /tmp. */
  function start(room: Room, command: readonly string[], env: RoomEnvironment): ChildProcess {
    return spawn("unshare", enter({ room, cache, view: "ro", command, env }), { stdio: ["ignore", "pipe", "pipe"] });
  }

  return { build, start };
}

interface Entry {
  readonly room: Room;
  /** What npm keeps between two installations. */
  readonly cache: string;
  readonly view: "ro" | "rw";
  readonly command: readonly string[];
  readonly env?: RoomEnvironment;
}

/** @returns the arguments by which unshare runs a command in a room */
function enter({ room, cache, view, command, env = {} }: Entry): string[] {
  const all = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: view === "rw" ? "/root" : "/",
    ...room.env,
    ...env,
  };
  const variables = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const keep = room.env["DATA_DIR"] ?? "/tmp";
  const inside = [...variables, "sh", "-c", 'cd "$0" && exec "$@"', room.workdir, ...command];
  return ["--mount", "sh", "-c", ENTER, "enter", room.root, view, keep, cache, room.user, ...inside];
}

/** Links, not copies: a stage never writes over what the one below it wrote. What was borrowed is empty there. */
function copyTree(from: string, to: string): void {
  for (const name of readdirSync(from).filter((each) => !BORROWED.includes(each) && each !== "tmp"))
    execFileSync("cp", ["-al", join(from, name), to]);
  if (!existsSync(to)) throw new Error(`${to} is not there`);
}
