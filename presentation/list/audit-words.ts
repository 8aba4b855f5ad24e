import { firstWords, type PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import type { AuditCheckpoints } from "../views/audit";

const sinceOf = (facts: AuditCheckpoints): number => (facts.kept === "signed" ? Number(facts.since) : 0);

/** What a chain was held against beside itself, and what that cannot show. */
const CHECKPOINT_CLAIMS: readonly PageClaim<AuditCheckpoints>[] = [
  {
    name: "no checkpoints",
    holds: ({ kept }) => kept === "none",
    words: () => "No checkpoints are made here: who owns the database can rewrite this unseen.",
  },
  {
    name: "none of this chain",
    holds: ({ kept }) => kept === "not yet",
    words: () => "No checkpoint of this chain is there yet: until then, who owns the database can rewrite it unseen.",
  },
  {
    name: "all under a checkpoint",
    holds: (facts) => facts.kept === "signed" && sinceOf(facts) === 0,
    words: () => "Held against its newest checkpoint, which covers every entry.",
  },
  {
    name: "one since",
    holds: (facts) => sinceOf(facts) === 1,
    words: () => "Held against its newest checkpoint. 1 entry since could be cut unseen.",
  },
  {
    name: "some since",
    holds: () => true,
    words: (facts) =>
      `Held against its newest checkpoint. ${formatCount(sinceOf(facts))} entries since could be cut unseen.`,
  },
];

export function checkpointWords(facts: AuditCheckpoints): string {
  return firstWords(CHECKPOINT_CLAIMS, facts);
}
