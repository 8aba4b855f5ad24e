import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { BUILD_LIMIT_MS, PROGRAMS, runProgram } from "./programs";

type Env = Readonly<Record<string, string>>;

/** Somebody's program around a library: how it is made here, and how it is run. */
export interface LibraryProgram {
  /** Commands that this machine has to have. */
  readonly needs: readonly string[];
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

/** @param folder that of `main.go`; programs of Go are one module, which stands here */
export function goProgram(folder: string): LibraryProgram {
  const program = join(PROGRAMS, basename(folder));
  return {
    needs: ["go"],
    build: () =>
      void runProgram("go", ["build", "-o", program, folder], { cwd: import.meta.dirname, limitMs: BUILD_LIMIT_MS }),
    run: (command, env) => runProgram(program, [command], { env }),
  };
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

interface NodeOptions {
  /** Names and exact versions of what is installed for this test alone. */
  readonly packages: Readonly<Record<string, string>>;
  /** The file below `node_modules` that the program imports, by the address in LIBRARY_MODULE. */
  readonly module: string;
}

interface NodeProgram extends LibraryProgram {
  /** Which of its packages the registry does not have, for a registry may have a package without what that needs; nothing when all are there. */
  readonly notServed: () => string | undefined;
}

/** @param folder that of `program.mjs` */
export function nodeProgram(folder: string, { packages, module }: NodeOptions): NodeProgram {
  const into = join(PROGRAMS, [basename(folder), ...Object.values(packages)].join("-"));
  const address = join(into, "node_modules", module);
  return {
    needs: ["npm"],
    notServed() {
      if (existsSync(address)) return undefined;
      const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
      const missing = names.filter((name) => spawnSync("npm", ["view", name, "version"]).status !== 0);
      return missing.length === 0 ? undefined : `${missing.join(" and ")} not in the registry`;
    },
    build() {
      if (existsSync(address)) return;
      mkdirSync(into, { recursive: true });
      writeFileSync(join(into, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
      runProgram("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
        cwd: into,
        limitMs: BUILD_LIMIT_MS,
      });
    },
    run: (command, env) =>
      runProgram(process.execPath, ["program.mjs", command], {
        cwd: folder,
        env: { ...env, LIBRARY_MODULE: address },
      }),
  };
}
