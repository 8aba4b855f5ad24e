import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { z } from "zod";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "./programs";

type Env = Readonly<Record<string, string>>;

/** Somebody's program around a library: how it is made here, and how it is run. */
export interface LibraryProgram {
  /** Commands that this machine has to have. */
  readonly needs: readonly string[];
  /** Why it cannot be built here, where that is not for want of a command. */
  readonly leftOut?: string | undefined;
  /** Installs and builds it. */
  readonly build: () => void;
  /** Runs it over the database of the environment. @returns what it wrote */
  readonly run: (command: "fill" | "work", env: Env) => string;
}

/** @param folder that of `program.py` and `requirements.txt`; it has a virtual environment of its own */
export function pythonProgram(folder: string): LibraryProgram {
  const environment = join(PROGRAMS, basename(folder));
  const python = join(environment, "bin/python");
  return {
    needs: ["python3"],
    build() {
      if (!existsSync(python)) runProgram("python3", ["-m", "venv", environment]);
      runProgram(python, ["-m", "pip", "install", "-q", "-r", "requirements.txt"], {
        cwd: folder,
        limitMs: BUILD_LIMIT_MS,
      });
    },
    run: (command, env) =>
      runProgram(python, ["program.py", command], {
        cwd: folder,
        // Where the modules are that programs share.
        env: { ...env, PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: import.meta.dirname },
      }),
  };
}

/** A checkout of a library that no registry here has. @returns why it is left out, where the variable names none */
function sourceOf(variable: string): { readonly path: string; readonly leftOut: string | undefined } {
  const path = process.env[variable] ?? "";
  if (path === "") return { path, leftOut: `${variable} names no checkout of its source` };
  return { path, leftOut: existsSync(path) ? undefined : `there is nothing at ${variable}` };
}

interface GoSource {
  /** Path and version of the module, whose place the checkout takes. */
  readonly module: string;
  readonly version: string;
  /** The variable that names the folder of the checkout. */
  readonly variable: string;
}

/**
 * @param folder that of `main.go`; programs of Go are one module, which stands here
 * @param source of a library that comes from no proxy: only the program that needs it is built with it
 */
export function goProgram(folder: string, source?: GoSource): LibraryProgram {
  const program = join(PROGRAMS, basename(folder));
  const { path, leftOut } = source === undefined ? { path: "", leftOut: undefined } : sourceOf(source.variable);
  return {
    needs: ["go"],
    leftOut,
    build() {
      const modules = source === undefined ? [] : goModules(program, source, path);
      const args = ["build", ...modules, "-o", program, folder];
      runProgram("go", args, { cwd: import.meta.dirname, limitMs: BUILD_LIMIT_MS });
    },
    run: (command, env) => runProgram(program, [command], { env }),
  };
}

/** A `go.mod` of one program: that of all of them, and the checkout. @returns what names it to `go build` */
function goModules(program: string, { module, version }: GoSource, path: string): readonly string[] {
  const file = `${program}.mod`;
  mkdirSync(PROGRAMS, { recursive: true });
  const own = readFileSync(join(import.meta.dirname, "go.mod"), "utf8");
  writeFileSync(file, `${own}\nrequire ${module} ${version}\n\nreplace ${module} => ${resolve(path)}\n`);
  copyFileSync(join(import.meta.dirname, "go.sum"), `${program}.sum`);
  return [`-modfile=${file}`, "-mod=mod"];
}

interface JavaOptions {
  /** A profile of `pom.xml`; each is built into a folder of its own. */
  readonly profile?: string;
  /** After the command. */
  readonly args?: readonly string[];
}

/** @param folder that of `pom.xml`, whose main class is `attach.Program` */
export function javaProgram(folder: string, { profile, args = [] }: JavaOptions = {}): LibraryProgram {
  const into = join(PROGRAMS, profile === undefined ? basename(folder) : `${basename(folder)}-${profile}`);
  const classpath = join(into, "classpath");
  const build = ["compile", "dependency:build-classpath", `-Dmdep.outputFile=${classpath}`];
  return {
    needs: ["java", "javac", "mvn"],
    build: () =>
      void runProgram(
        "mvn",
        ["-q", "-B", ...(profile === undefined ? [] : [`-P${profile}`]), `-Dbuild.into=${into}`, ...build],
        { cwd: folder, limitMs: BUILD_LIMIT_MS },
      ),
    run: (command, env) =>
      runProgram(
        "java",
        [
          "-cp",
          [join(into, "classes"), readFileSync(classpath, "utf8")].join(delimiter),
          "attach.Program",
          command,
          ...args,
        ],
        { env },
      ),
  };
}

interface RegistryOptions {
  /** Names and exact versions of what is installed for this test alone. */
  readonly packages: Readonly<Record<string, string>>;
}
interface CheckoutOptions {
  /** The variable that names the folder of a checkout. */
  readonly variable: string;
  /** Where its packages are in it. */
  readonly folders: Readonly<Record<string, string>>;
}
type NodeOptions = (RegistryOptions | CheckoutOptions) & {
  /** The file below `node_modules` that the program imports, by the address in LIBRARY_MODULE. */
  readonly module: string;
};

interface NodeProgram extends LibraryProgram {
  /** Which of its packages the registry does not have, for a registry may have a package without what that needs; nothing when all are there. */
  readonly notServed: () => string | undefined;
}

/** @param folder that of `program.mjs` */
export function nodeProgram(folder: string, { module, ...of }: NodeOptions): NodeProgram {
  const isCheckout = "folders" in of;
  const packages = isCheckout ? {} : of.packages;
  const into = join(PROGRAMS, [basename(folder), ...(isCheckout ? ["source"] : Object.values(packages))].join("-"));
  const address = join(into, "node_modules", module);
  const { path, leftOut } = isCheckout ? sourceOf(of.variable) : { path: "", leftOut: undefined };
  return {
    needs: ["npm"],
    leftOut,
    notServed() {
      if (existsSync(address)) return undefined;
      const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
      const missing = names.filter((name) => spawnSync("npm", ["view", name, "version"]).status !== 0);
      return missing.length === 0 ? undefined : `${missing.join(" and ")} not in the registry`;
    },
    build() {
      if (isCheckout) rmSync(into, { recursive: true, force: true });
      if (existsSync(address)) return;
      mkdirSync(into, { recursive: true });
      const folders = Object.entries(isCheckout ? of.folders : {}).map(([name, at]) => [name, join(path, at)] as const);
      const dependencies = { ...packages, ...neededBy(folders.map(([, at]) => at)) };
      writeFileSync(join(into, "package.json"), JSON.stringify({ private: true, dependencies }));
      runProgram("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
        cwd: into,
        limitMs: BUILD_LIMIT_MS,
      });
      // Behind npm, which would take them for left over.
      for (const [name, at] of folders) cpSync(at, join(into, "node_modules", name), { recursive: true });
    },
    run: (command, env) =>
      runProgram(process.execPath, ["program.mjs", command], {
        cwd: folder,
        env: { ...env, LIBRARY_MODULE: address },
      }),
  };
}

const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** What packages of a checkout need from a registry: what they need of each other has no version there. */
function neededBy(folders: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    folders.flatMap((at) => {
      const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(at, "package.json"), "utf8")));
      return Object.entries(dependencies).filter(([, version]) => !version.startsWith("workspace:"));
    }),
  );
}
