import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findClients } from "./clients";

/** Below the limit of a set-up (vitest.config.ts), so that the reason is said. */
const BUILT_WITHIN_MS = 110_000;

export interface Language {
  readonly name: string;
  /** How the service registers itself. */
  readonly owner: string;
  /** Programs that must be installed; the first that is missing is named. */
  readonly needs: readonly (readonly [program: string, argument: string])[];
  /** Builds the service. @param folder for what is built @returns what starts it */
  readonly build: (folder: string) => readonly [string, ...string[]];
}

/** The one service in each language that shows the contract. */
export const LANGUAGES: readonly Language[] = [
  {
    name: "Python",
    owner: "invoices-py",
    needs: [],
    build: () => [findClients().python, "-B", "tests/sql-contract/invoices.py"],
  },
  {
    name: "Go",
    owner: "invoices-go",
    needs: [["go", "version"]],
    build(folder) {
      const program = join(folder, "invoices");
      run("go", ["build", "-buildvcs=false", "-o", program, "."], "tests/sql-contract/go");
      return [program];
    },
  },
  {
    name: "Java",
    owner: "invoices-java",
    needs: [
      ["java", "-version"],
      ["mvn", "--version"],
    ],
    build(folder) {
      run("mvn", ["-q", "-B", `-Dbuilt=${folder}`, "compile"], "tests/sql-contract/java");
      // A process lives for one command: what makes a long one fast only costs here.
      const start = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
      return ["java", ...start, "-cp", [join(folder, "classes"), join(folder, "lib", "*")].join(":"), "Invoices"];
    },
  },
];

/** @returns the program that a language needs and this machine has not */
export function missingProgram({ needs }: Language): string | undefined {
  return needs.find(([program, argument]) => spawnSync(program, [argument]).status !== 0)?.[0];
}

/** @throws Error with what the tool printed */
function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: BUILT_WITHIN_MS });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}
