import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSentences } from "./testing/find-sentences";
import { HELD_CLAIMS } from "./testing/held-claims";

/** By file: sentences with facts that stand outside of claims. It may only shrink; SENTENCES=update writes what there is now. */
const LOOSE = join("presentation", "testing", "loose-sentences.json");

const said = findSentences("presentation", "components", "domain", "console");

/** What a test says, and what the helpers of tests say that it uses. */
function sourceOf(test: string): string {
  const own = readFileSync(test, "utf8");
  const helpers = [...own.matchAll(/from "((?:@\/|\.)[^"]*testing\/[\w-]+)"/g)].map(([, path = ""]) =>
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
      said.flatMap(({ file, others }) => (others.length === 0 ? [] : [[file, others.length]])),
    );
    if (process.env["SENTENCES"] === "update") writeFileSync(LOOSE, `${JSON.stringify(now, undefined, 2)}\n`);
    const known = JSON.parse(readFileSync(LOOSE, "utf8")) as Readonly<Record<string, number>>;
    const added = said.filter(({ file, others }) => others.length > (known[file] ?? 0));
    expect(added.map(({ file, others }) => ({ file, others }))).toEqual([]);
    // What became fewer stays fewer, and a file that is gone is gone from the list.
    expect(now).toEqual(known);
  });

  it("sees a list that no test holds, and a sentence without a predicate", () => {
    expect(HELD_CLAIMS["presentation/operation/evidence.ts EVIDENCE_CLAIMS"]?.by).toBe("readOperation");
    const evidence = said.find(({ file }) => file === "presentation/operation/evidence.ts");
    expect(evidence).toMatchObject({ claimLists: ["EVIDENCE_CLAIMS"], others: [] });
    const loose = said.find(({ file }) => file === "presentation/plan/plan-approval.ts");
    expect(loose?.others.some((text) => text.includes("from that amount on two people decide."))).toBe(true);
  });
});
