import type { ChecklistFacts } from "@/domain/checks/checklist-facts";
import type { Judgement, ProofCase } from "../proof/proof-case";
import type { Findings } from "./finding";

/** What kind of thing has to hold; the page of invariants has a heading for each but the last. */
export type CheckGroup = "One execution" | "Money" | "Messages" | "Records" | "Service";

export type CheckPage = "operations" | "outbox" | "inbox" | "plans" | "audit" | "find";

/**
 * One thing that must hold, said once. Each predicate that it has is read by one reader: `claim` by the proof of an operation,
 * `tenant` by the invariants, `service` by the checklist. Its id is the name of the invariant, if it is one.
 */
export interface Check {
  readonly group: CheckGroup;
  readonly statement: string;
  readonly claim?: {
    /** Under which it stands in the signed document: the first, where the judge does not say which. */
    readonly names: readonly [string, ...string[]];
    readonly judge: (it: ProofCase) => Judgement | undefined;
  };
  /** Over a tenant's rows: the statement that finds its counterexamples is db's, by the same id. */
  readonly tenant?: {
    readonly label: string;
    readonly page: CheckPage;
    readonly looksAt: string;
  };
  readonly service?: (facts: ChecklistFacts) => Findings;
}
