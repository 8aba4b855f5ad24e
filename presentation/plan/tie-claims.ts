import { TIE_REASONS, type TieReason } from "@/domain/access/ties";
import { whenText } from "@/domain/messages/requeue-claims";
import { firstWords, type PageClaim } from "@/domain/page-claim";
import { writtenTime } from "@/domain/written-time";

/** A tie by names: `you` is whoever reads it. */
export interface NamedTie {
  readonly by: string;
  readonly of: string;
  readonly why: TieReason;
  readonly at: string;
}

const TIE_WORDS: Readonly<Record<TieReason, (tie: NamedTie) => string>> = {
  invited: ({ by, of, at }) => `${by} invited ${of} ${whenText(at)}`,
  link: ({ by, of, at }) => `${by} made a link for ${of} ${whenText(at)}`,
  second_factor: ({ by, of, at }) => `${by} took the second factor of ${of} off ${whenText(at)}`,
  role: ({ by, of, at }) => `${by} changed the role of ${of} ${whenText(at)}`,
};

/** What ties two people, each a clause. */
export const TIE_CLAIMS: readonly PageClaim<NamedTie>[] = TIE_REASONS.map((reason) => ({
  name: reason,
  holds: ({ why }) => why === reason,
  words: TIE_WORDS[reason],
}));

export interface SamePersonFacts {
  /** Who asked, by name. */
  readonly asker: string;
  /** From whoever reads it to who asked; empty where none could be named. */
  readonly chain: readonly (NamedTie & { readonly until: string })[];
}

const untilOf = ({ chain }: SamePersonFacts): string => chain.map(({ until }) => until).sort()[0] ?? "";

/** Why whoever reads it is no second person. */
export const SAME_PERSON_CLAIMS: readonly PageClaim<SamePersonFacts>[] = [
  {
    name: "tied by a chain",
    holds: ({ chain }) => chain.length > 0,
    words: (facts) =>
      `You and ${facts.asker} count as one person at least until ${writtenTime(untilOf(facts), "minute")}: ${facts.chain.map((tie) => firstWords(TIE_CLAIMS, tie)).join("; ")}. Another person must approve.`,
  },
  {
    name: "tied",
    holds: ({ chain }) => chain.length === 0,
    words: ({ asker }) =>
      `You and ${asker} count as one person: one had the account of the other in hand. Another person must approve.`,
  },
];

/** "You and Ada count as one person at least until …: Ada invited you on …." */
export function samePersonWords(facts: SamePersonFacts): string {
  return firstWords(SAME_PERSON_CLAIMS, facts);
}
