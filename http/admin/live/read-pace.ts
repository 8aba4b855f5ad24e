/**
 * How often pages that read themselves again may do so, all tabs at this process together, in a second. A tab of the overview costs the
 * process as much as some twenty claims each time, and while claims come in it would do so at every poll.
 */
export const READS_PER_SECOND = 2;
/** Pages that change with every claim, by the first part of their name in the live status. */
const PACED: ReadonlySet<string> = new Set(["overview", "flow", "references"]);
/** Over which polls are counted. */
const WINDOW_MS = 10_000;
/** How often a tab asks: 2 to 5 seconds (components/shell/use-live-status.ts). */
const POLL_MS = 3_500;
/** @param page name of a page in the live status */
export const isPaced = (page: string): boolean => PACED.has(page);
const MARK = /^[\w-]{1,32}$/;

/** What a tab knows: the mark of the page that it shows, and when it was given. */
export interface GivenMark {
  readonly mark: string;
  /** Milliseconds since 1970 of this process's clock, or another's: only how often a page is read depends on it. */
  readonly at: number;
}

export type ReadPace = ReturnType<typeof createReadPace>;

/**
 * Holds a new mark back from tabs that got one lately, so that they read their pages again less often the more of them there are. With so
 * few that each may read at every poll nothing is held.
 *
 * @param now milliseconds since 1970 @param random from 0 up to 1
 */
export function createReadPace(now: () => number = Date.now, random: () => number = Math.random) {
  let polls: number[] = [];
  return {
    /**
     * @param page name of the page in the live status @param fresh mark of what there is now @param known what the tab has
     * @returns the mark to give, and since when the tab has it
     */
    give(page: string, fresh: string, known: GivenMark | undefined): GivenMark {
      const at = now();
      if (isPaced(page)) {
        polls.push(at);
        if ((polls[0] ?? at) < at - WINDOW_MS) polls = polls.filter((each) => each >= at - WINDOW_MS);
      }
      if (known?.mark === fresh) return known;
      if (known === undefined || !isPaced(page)) return { mark: fresh, at };
      const tabs = (polls.length * POLL_MS) / WINDOW_MS;
      const holdMs = (tabs / READS_PER_SECOND) * 1_000;
      // Spread, so that tabs that learnt of one change together do not go on together.
      const held = holdMs > POLL_MS && at - known.at < holdMs * (0.5 + random());
      return held ? known : { mark: fresh, at };
    },
  };
}

/** `digest.mark.at`, as the ETag of a live status; `at` to the base of 36. */
export function tagOf(digest: string, { mark, at }: GivenMark): string {
  return `"${digest}.${mark}.${at.toString(36)}"`;
}

/** @returns what a tag of ours says of the page of its tab; undefined for any other */
export function givenIn(tag: string | undefined): GivenMark | undefined {
  const [, mark = "", at = ""] = tag?.replaceAll('"', "").split(".") ?? [];
  const given = Number.parseInt(at, 36);
  return MARK.test(mark) && Number.isSafeInteger(given) ? { mark, at: given } : undefined;
}
