import { claimWords, type PageClaim } from "@/domain/page-claim";
import { PURGE_ATTACHED_KIND } from "@/domain/plans/plan";
import { formatCount } from "../format/display-time";
import type { PlanView } from "../views/plans";
import { restCount } from "./plan-advice";

type Facts = Pick<PlanView, "kind" | "rest" | "theirs">;

const isAsked = ({ theirs }: Facts): boolean => theirs?.asked === true;
const isPurge = ({ kind }: Facts): boolean => kind === PURGE_ATTACHED_KIND;
/** Rows that the dry run let act and that have not acted. */
const left = ({ rest }: Facts): number => restCount(rest, ({ result }) => result !== "left");
const dead = ({ rest }: Facts): number => restCount(rest, ({ result, now }) => result !== "left" && now === "acts");

/** What the page of a plan over an attached database says of having asked it, for this page, about the rows that are left. */
const NOW_CLAIMS: readonly PageClaim<Facts>[] = [
  {
    name: "all dead",
    holds: (plan) => isAsked(plan) && left(plan) > 0 && dead(plan) === left(plan),
    words: (plan) =>
      left(plan) === 1
        ? "Asked for this page: the row that is left is dead there."
        : `Asked for this page: all ${formatCount(left(plan))} rows that are left are dead there.`,
  },
  {
    name: "some dead",
    holds: (plan) => isAsked(plan) && dead(plan) < left(plan),
    words: (plan) =>
      `Asked for this page: ${formatCount(dead(plan))} of ${formatCount(left(plan))} that are left ${dead(plan) === 1 ? "is" : "are"} dead there.`,
  },
  {
    name: "none left",
    holds: (plan) => isAsked(plan) && left(plan) === 0,
    words: () => "Asked for this page: no row is left to act.",
  },
  {
    name: "not asked",
    holds: (plan) => plan.theirs?.asked === false && !isPurge(plan),
    words: ({ theirs }) => `Not asked for this page. ${theirs?.because ?? ""} Verdicts are as they were frozen.`,
  },
  {
    name: "not counted",
    holds: (plan) => plan.theirs?.asked === false && isPurge(plan),
    words: () => "Not counted again for this page: the function decides when a batch runs.",
  },
];

/** @returns empty where there is nothing to ask, or another database to ask */
export const attachedNowWords = (plan: Facts): string => claimWords(NOW_CLAIMS, plan).join(" ");
