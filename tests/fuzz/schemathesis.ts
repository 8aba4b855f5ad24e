import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FuzzTarget } from "./target";

/** Pinned: a run is to be had again. Needs Python 3.10 or newer. */
const PACKAGE = "schemathesis==4.32.5";
const ROOT = join(import.meta.dirname, "../..");
const VENV = join(ROOT, "node_modules/.cache/onceboard/schemathesis");
const DOCUMENT = join(ROOT, "docs/openapi.json");
const INSTALL_MS = 300_000;
const RUN_MS = 2_400_000;
const OUTPUT_KEPT = 4_000;
/** Requests that one example of an operation costs, about: its phases try each parameter by itself too. */
const PER_EXAMPLE = 1;
const ROUNDS = 40;

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Wanted {
  readonly requests: number;
  readonly seed: string;
  readonly say: (line: string) => void;
}

/**
 * Sends what schemathesis makes from our own document: values that it allows, and values that it does not. The target judges the
 * answers; here it is only counted on to send.
 *
 * @returns a line when it was left out, because there is no Python for it
 * @throws Error when it could not run
 */
export async function runSchemathesis(at: FuzzTarget, { requests, seed, say }: Wanted): Promise<string | undefined> {
  const program = await findProgram(say);
  if (program === undefined) return `left out: no Python with ${PACKAGE} here, and none could be installed`;
  const document = join(VENV, `openapi-${String(process.pid)}.json`);
  await writeFile(document, await readFile(DOCUMENT));
  const first = at.seen.requests;
  try {
    // Each round has another seed, so it sends other requests: the number of them is the document's choice.
    for (let round = 0; round < ROUNDS && at.seen.requests - first < requests; round += 1) {
      await at.keepCallers();
      const admin = at.callers.find(({ kind, name }) => kind === "key" && (round % 2 === 0) === name.includes("admin"));
      const token = admin?.headers[0]?.[1] ?? "";
      const left = requests - (at.seen.requests - first);
      const examples = Math.max(1, Math.min(100, Math.ceil(left / at.targets.length / PER_EXAMPLE)));
      const { code, output } = await run(
        program,
        [
          ...["run", document, "--url", `http://127.0.0.1:${String(at.port)}/api/v1`],
          ...["--header", `Authorization: ${token}`, "--checks", "not_a_server_error", "--mode", "all"],
          ...["--phases", round === 0 ? "coverage,fuzzing" : "fuzzing", "--max-examples", String(examples)],
          ...[
            "--seed",
            String(numberOf(seed) + round),
            "--continue-on-failure",
            "--no-color",
            "--request-timeout",
            "30",
          ],
          ...["--generation-database", "none", "--suppress-health-check", "all"],
        ],
        RUN_MS,
      );
      // 1 is a failed check, which the target has seen as well.
      if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${String(code)}: ${output}`);
      say(`  schemathesis: ${String(at.seen.requests - first)} requests, ${String(at.faults.length)} faults`);
    }
  } finally {
    await rm(document, { force: true });
  }
  return undefined;
}

async function findProgram(say: (line: string) => void): Promise<string | undefined> {
  const program = join(VENV, "bin/schemathesis");
  const works = async (): Promise<boolean> =>
    existsSync(program) &&
    (await run(program, ["--version"], INSTALL_MS)).output.includes(PACKAGE.split("==")[1] ?? "");
  if (await works()) return program;
  await mkdir(VENV, { recursive: true });
  for (const python of ["python3", "/usr/bin/python3"]) {
    if ((await run(python, ["-m", "venv", VENV], INSTALL_MS)).code !== 0) continue;
    say(`installing ${PACKAGE} …`);
    await run(join(VENV, "bin/python"), ["-m", "pip", "install", "--quiet", PACKAGE], INSTALL_MS);
    if (await works()) return program;
  }
  return undefined;
}

const numberOf = (seed: string): number =>
  Number.isSafeInteger(Number(seed))
    ? Number(seed)
    : Buffer.from(seed).reduce((sum, byte) => (sum * 31 + byte) % 2 ** 31, 7);

async function run(program: string, args: readonly string[], timeoutMs: number): Promise<Ended> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs, cwd: VENV });
  let output = "";
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-OUTPUT_KEPT));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  } catch (error) {
    return { code: -1, output: String(error) };
  }
}
