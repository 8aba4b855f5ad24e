import { firstWords, type PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import type { SourceNews } from "../metrics/live-status";

interface NewsFacts {
  /** Live updates come to the page. */
  readonly live: boolean;
  /** What one row of the list is: "message". */
  readonly row: string;
  /** Undefined: nothing was heard of the list yet. */
  readonly news: SourceNews | undefined;
}

const newer = ({ news }: NewsFacts): number => (news?.kind === "read" ? news.newer : 0);

/** What is known of rows above those on the screen, by the order of the list: a row that changes further down is not noticed. */
const NEWS_CLAIMS: readonly PageClaim<NewsFacts>[] = [
  {
    name: "newer",
    holds: (facts) => newer(facts) > 0,
    words: (facts) => {
      const more = facts.news?.kind === "read" && facts.news.more;
      const one = newer(facts) === 1 && !more;
      return `${formatCount(newer(facts))}${more ? "+" : ""} newer ${facts.row}${one ? "" : "s"}.`;
    },
  },
  { name: "not live", holds: ({ live }) => !live, words: () => "Not watching for newer rows." },
  {
    name: "not asked yet",
    holds: ({ news }) => news === undefined || news.kind === "waiting",
    words: () => "Its database was not asked for newer rows yet.",
  },
  {
    name: "away",
    holds: ({ news }) => news?.kind === "away",
    words: ({ news }) => `${news?.kind === "away" ? news.because : ""} Newer rows are not known.`,
  },
  {
    name: "dear",
    holds: ({ news }) => news?.kind === "not_watched",
    words: ({ news }) => `Newer rows are not watched for. ${news?.kind === "not_watched" ? news.because : ""}`,
  },
  {
    name: "none",
    holds: ({ news }) => news?.kind === "read" && news.newer === 0,
    words: ({ row }) => `No newer ${row} above these when its database was last asked.`,
  },
];

export const newsWords = (facts: NewsFacts): string => firstWords(NEWS_CLAIMS, facts);
