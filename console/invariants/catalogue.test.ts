import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { INVARIANT_NAMES, INVARIANTS } from "./invariant-list";
import { COUNTEREXAMPLES } from "@/db/checks/counterexamples";
import { judgeChecklist } from "@/presentation/checklist/checklist";
import type { ChecklistFacts } from "@/domain/checks/checklist-facts";
import { CHECKLIST, CHECKS, PROOF_CHECKS, type CheckId } from "@/presentation/checks/catalogue";
import type { Check } from "@/presentation/checks/check";
import { computeProof } from "@/presentation/proof/proof";
import type { ProofFacts } from "@/domain/checks/proof-facts";
import { PAID, paidFacts, requestWith } from "@/presentation/proof/testing/proof";

const all: readonly (readonly [string, Check])[] = Object.entries(CHECKS);
const having = (reader: keyof Check): string[] => all.flatMap(([id, check]) => (reader in check ? [id] : []));
const inChecklist: readonly CheckId[] = CHECKLIST.flatMap(({ checks }) => checks);

const PAYMENT = paidFacts();
const EVENT = { id: "event", at: PAYMENT.at, fence: 1 } as const;
/** Facts that between them make every claim there is. */
const CASES: readonly ProofFacts[] = [
  paidFacts({ notifications: { rows: [{ id: PAID.notificationId, key: "receipt", kind: "receipt", state: "sent" }] } }),
  paidFacts({ events: { rows: [...PAYMENT.events.rows, { ...EVENT, type: "conflict", outcome: "conflict" }] } }),
  paidFacts({
    events: { rows: [...PAYMENT.events.rows, { ...EVENT, type: "resolved", to: "COMPLETED" }] },
    calls: { rows: [] },
  }),
  paidFacts({ request: requestWith({ operation: "refunds.create" }) }),
  paidFacts({ request: requestWith({ operation: "payments.void" }) }),
  paidFacts({ request: requestWith({ operation: "accounts.create" }) }),
  paidFacts({ request: requestWith({ state: "FAILED_REPLAYABLE", responseStatus: 422 }) }),
  paidFacts({ request: requestWith({ state: "FAILED_RETRYABLE", expiresAt: PAYMENT.at }) }),
];

const NOTHING_READ: ChecklistFacts = {
  hours: 24,
  limit: 1,
  deployment: { routes: [], profiles: [], document: undefined, metrics: undefined, traces: false },
  policies: [],
  answers: undefined,
  counted: undefined,
  retries: undefined,
  keys: undefined,
  constraints: undefined,
  cleanup: undefined,
  open: undefined,
  invariants: [],
  loops: undefined,
};

describe("the catalogue of checks", () => {
  it("has a reader for each predicate of each check, and no check without a predicate", () => {
    expect([...PROOF_CHECKS].sort()).toEqual(having("claim").sort());
    expect([...INVARIANT_NAMES].sort()).toEqual(having("tenant").sort());
    for (const id of having("service")) expect(inChecklist).toContain(id);
    const read = new Set<string>([...PROOF_CHECKS, ...INVARIANT_NAMES, ...inChecklist]);
    expect(all.map(([id]) => id).filter((id) => !read.has(id))).toEqual([]);
  });

  it("says each thing once", () => {
    const statements = all.map(([, { statement }]) => statement);
    expect(new Set(statements).size).toBe(statements.length);
    expect(new Set(inChecklist).size).toBe(inChecklist.length);
    const names = all.flatMap(([, check]) => check.claim?.names ?? []);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has every claim that a proof can make, under its names, and no other", () => {
    const made = CASES.flatMap((facts) =>
      computeProof(facts, { deployment: "here", tenant: "acme" }).statement.claims.map(({ name }) =>
        name.replace(/^one_(payment|refund|void|account)$/, "one_effect"),
      ),
    );
    expect([...new Set(made)].sort()).toEqual(all.flatMap(([, check]) => check.claim?.names ?? []).sort());
  });

  it("has every invariant, with a statement of the database for each and for nothing else", () => {
    expect(Object.keys(COUNTEREXAMPLES).sort()).toEqual([...INVARIANT_NAMES].sort());
    for (const { name, sql } of INVARIANTS) expect(all.find(([id]) => id === name)?.[1].tenant, sql).toBeDefined();
  });

  it("has every line of the checklist; a check without a judge of its own tells the last run of its invariant", () => {
    const rows = judgeChecklist(NOTHING_READ);
    expect(rows.map(({ id }) => id)).toEqual(CHECKLIST.map(({ id }) => id));
    for (const id of inChecklist) expect("service" in CHECKS[id] || INVARIANT_NAMES.includes(id), id).toBe(true);
    const results = rows.flatMap(({ checks }) => checks.map(({ text }) => text));
    for (const id of inChecklist.filter((each) => !("service" in CHECKS[each])))
      expect(results).toContain(`${id}: the last check did not end, or there was none yet.`);
  });

  it("is what the documents list", () => {
    const firstColumn = (file: string): string[] =>
      [...readFileSync(file, "utf8").matchAll(/^\|([^|]*)\|([^|]*)\|/gm)].flatMap(([, one = "", two = ""]) =>
        [...(file.endsWith("PROOF.md") ? one : two).matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
      );
    for (const name of INVARIANT_NAMES) expect(firstColumn("docs/INVARIANTS.md")).toContain(name);
    const proof = firstColumn("docs/PROOF.md");
    for (const name of all.flatMap(([, check]) => check.claim?.names ?? []))
      expect(proof).toContain(name === "one_effect" ? "one_payment" : name);
  });
});
