/** One instruction of a Containerfile, continuation lines joined: `{ name: "RUN", text: "npm ci" }`. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** What stands below one `FROM`. */
export interface BuildStage {
  readonly name: string;
  /** Another stage, or an image. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** A `COPY`, without what it says of owners. */
export interface CopyStep {
  /** Name of the stage; the build context when undefined. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

const KNOWN = new Set(["ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"]);
const FROM = /^(\S+) AS (\S+)$/i;

/**
 * Reads the part of the language that our Containerfile uses.
 *
 * @throws Error for an instruction beyond that: what is not read is not tested either
 */
export function readContainerfile(text: string): readonly BuildStage[] {
  const lines = text
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === "ARG" && stages.length === 0) continue;
    const begun = name === "FROM" ? FROM.exec(rest) : null;
    if (begun?.[1] !== undefined && begun[2] !== undefined)
      stages.push({ name: begun[2], from: begun[1], instructions: [] });
    else if (KNOWN.has(name) && stages.length > 0) stages.at(-1)?.instructions.push({ name, text: rest });
    else throw new Error(`"${line}" is beyond this test`);
  }
  return stages;
}

/** @returns a stage and those below it that it begins with, the lowest first. */
export function lineage(stages: readonly BuildStage[], name: string): readonly BuildStage[] {
  const stage = stages.find((each) => each.name === name);
  return stage === undefined ? [] : [...lineage(stages, stage.from), stage];
}

/** @param text of a `COPY` */
export function readCopy(text: string): CopyStep {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
}

/** @returns the last instruction of this name that holds for a stage. @throws Error when there is none */
export function lastOf(stages: readonly BuildStage[], stage: string, name: string): string {
  const found = lineage(stages, stage)
    .flatMap(({ instructions }) => instructions)
    .findLast((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`${stage} has no ${name}`);
  return found.text;
}

/** @param text of an `ENV`: `A=1 B=2` */
export const readEnv = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]));

/** @param text of ENTRYPOINT, CMD or HEALTHCHECK: words as JSON at its end. @throws Error when they are no words */
export function readWords(text: string): readonly string[] {
  const words: unknown = JSON.parse(/\[.*\]$/.exec(text)?.[0] ?? "null");
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string"))
    throw new Error(`"${text}" is no list of words`);
  return words;
}
