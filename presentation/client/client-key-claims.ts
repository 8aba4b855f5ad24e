import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";
import type { ClientDetail, ClientKeyView, KeyCallersView } from "../views/clients";

type KeyFacts = Pick<ClientKeyView, "state">;
interface KeysFacts {
  readonly client: string;
  readonly keys: readonly KeyFacts[];
  readonly maxLiveKeys: number;
}

export function isOpenKey({ state }: KeyFacts): boolean {
  return state === "live" || state === "ending";
}
const open = (keys: readonly KeyFacts[]): number => keys.filter(isOpenKey).length;

/** "1 key that is valid". */
export function validKeys(keys: readonly KeyFacts[]): string {
  return `${plural(open(keys), "key")} that ${open(keys) === 1 ? "is" : "are"} valid`;
}

/** What a client has before another key is made. */
const KEY_CLAIMS: readonly PageClaim<KeysFacts>[] = [
  { name: "valid keys", holds: () => true, words: ({ client, keys }) => `${client} has ${validKeys(keys)}.` },
];

export function keyEvidence(facts: KeysFacts): string {
  return firstWords(KEY_CLAIMS, facts);
}

const KEY_LIMIT: readonly PageClaim<KeysFacts>[] = [
  {
    name: "full",
    holds: ({ keys, maxLiveKeys }) => open(keys) >= maxLiveKeys,
    words: ({ maxLiveKeys }) => `A client has at most ${plural(maxLiveKeys, "key")} at once.`,
  },
];

/** @returns why no key can be made; undefined where one can */
export function keyLimit(facts: KeysFacts): string | undefined {
  return claimWords(KEY_LIMIT, facts)[0];
}

type FastFacts = Pick<ClientDetail, "fastLookedAt"> & { readonly shown: number };

/** Which of the retries that were too fast are shown. */
const FAST_CLAIMS: readonly PageClaim<FastFacts>[] = [
  {
    name: "none is shown",
    holds: ({ shown }) => shown === 0,
    words: ({ fastLookedAt }) => `None is among the newest ${formatCount(fastLookedAt)} events.`,
  },
  {
    name: "the newest",
    holds: () => true,
    words: ({ fastLookedAt }) => `The newest of the last ${formatCount(fastLookedAt)} events are shown.`,
  },
];

export function fastWords(facts: FastFacts): string {
  return firstWords(FAST_CLAIMS, facts);
}

const CALLERS_CLAIMS: readonly PageClaim<KeyCallersView>[] = [
  {
    name: "nobody",
    holds: ({ callers }) => callers.length === 0,
    words: ({ windowHours }) => `Nobody used its key in the last ${String(windowHours)} h.`,
  },
];

/** @returns undefined where somebody used it */
export function noCallers(view: KeyCallersView): string | undefined {
  return claimWords(CALLERS_CLAIMS, view)[0];
}
