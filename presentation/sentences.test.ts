import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSentences, sentencesInFile, type FileSentences } from "./testing/find-sentences";
import { HELD_ANSWERS } from "./testing/held-answers";
import { HELD_CLAIMS } from "./testing/held-claims";

/** By file: sentences with facts that stand outside of claims. It may only shrink; SENTENCES=update writes what there is now. */
const LOOSE = join("presentation", "testing", "loose-sentences.json");

const said = findSentences("presentation", "components", "domain", "console");

/** Sentences with facts that are neither claims nor answers that a test has given. */
function looseOf({ file, others }: FileSentences): readonly string[] {
  const answers = HELD_ANSWERS[file] ?? [];
  return others.filter((text) => !answers.some(({ words }) => text.includes(words)));
}

const loose = said.map((each) => ({ file: each.file, others: looseOf(each) }));

/** What a test says, and what the helpers of tests say that it uses. */
function sourceOf(test: string): string {
  const own = readFileSync(test, "utf8");
  const helpers = [...own.matchAll(/from "((?:@\/|\.)[^"]*(?:testing|support)\/[\w-]+)"/g)].map(([, path = ""]) =>
    path.startsWith("@/") ? `${path.slice("@/".length)}.ts` : join(dirname(test), `${path}.ts`),
  );
  return [own, ...helpers.map((path) => readFileSync(path, "utf8"))].join("\n");
}

describe("TRUTH-1 every sentence about facts has a predicate and a test", () => {
  it("each list of claims names the test that holds it, and that test has it said", () => {
    const lists = said.flatMap(({ file, claimLists }) => claimLists.map((name) => `${file} ${name}`));
    expect(lists.sort()).toEqual(Object.keys(HELD_CLAIMS).sort());
    const unsaid = Object.entries(HELD_CLAIMS).filter(
      ([, { test, by }]) => !existsSync(test) || !new RegExp(`\\b${by}\\b`).test(sourceOf(test)),
    );
    expect(unsaid).toEqual([]);
  });

  it("no sentence is added outside of claims: give it a predicate and let a property hold it", () => {
    const now = Object.fromEntries(
      loose.flatMap(({ file, others }) => (others.length === 0 ? [] : [[file, others.length]])),
    );
    if (process.env["SENTENCES"] === "update") writeFileSync(LOOSE, `${JSON.stringify(now, undefined, 2)}\n`);
    const known = JSON.parse(readFileSync(LOOSE, "utf8")) as Readonly<Record<string, number>>;
    const added = loose.filter(({ file, others }) => others.length > (known[file] ?? 0));
    expect(added.map(({ file, others }) => ({ file, others }))).toEqual([]);
    // What became fewer stays fewer, and a file that is gone is gone from the list.
    expect(now).toEqual(known);
  });

  it("each text of an answer is asserted by the test that has it given", () => {
    const unheld = Object.entries(HELD_ANSWERS).flatMap(([file, answers]) => {
      const others = said.find((each) => each.file === file)?.others ?? [];
      return answers.filter(
        ({ words, test }) =>
          !others.some((text) => text.includes(words)) ||
          !/\w{2,} \w/.test(words) ||
          !existsSync(test) ||
          !sourceOf(test).includes(words),
      );
    });
    expect(unheld).toEqual([]);
  });

  it("sees a list that no test holds, and a sentence without a predicate", () => {
    expect(HELD_CLAIMS["presentation/operation/evidence.ts EVIDENCE_CLAIMS"]?.by).toBe("readOperation");
    const evidence = said.find(({ file }) => file === "presentation/operation/evidence.ts");
    expect(evidence).toMatchObject({ claimLists: ["EVIDENCE_CLAIMS"], others: [] });
    const folder = mkdtempSync(join(tmpdir(), "sentences-"));
    const sentence = "`${count} rows need a person.`";
    try {
      writeFileSync(
        join(folder, "planted.ts"),
        `export const LIST = [{ name: "rows", holds: () => true, words: () => ${sentence} }];\n` +
          `export const words = (count: number) => ${sentence};\n`,
      );
      expect(findSentences(folder)).toMatchObject([{ claimLists: ["LIST"], others: [sentence] }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("leaves out what is filled with constants only, and sees a fact beside one", () => {
    const of = (template: string): readonly string[] => sentencesInFile("some.ts", `const text = ${template};`).others;
    for (const rule of [
      "`A password has at least ${String(MIN)} characters.`",
      '`It stops after ${plural(LOOK_UPS_TOTAL_MS / MINUTE_MS, "minute")}, at ${formatCount(LIMITS.rows)} rows.`',
    ])
      expect(of(rule)).toEqual([]);
    for (const fact of [
      "`A password has at least ${String(min)} characters.`",
      "`${formatCount(count)} of ${formatCount(MAX_ROWS)} rows are shown.`",
      "`It stops after ${wordsOf(LIMIT)} and no later.`",
      "`From ${formatCount(PLAN_RULES[kind].approvalFrom)} rows on two people decide.`",
    ])
      expect(of(fact)).toEqual([fact]);
  });
});
