import type { AnswerFacts, ChecklistFacts, KeyFacts, PolicyFact, RetryFacts } from "@/domain/checks/checklist-facts";
import { capital } from "../format/words";
import { cutName } from "../format/cut-middle";
import { formatCount } from "../format/display-time";
import { plural } from "../format/words";
import {
  type CheckClaim,
  type FactsOf,
  findings,
  type Findings,
  findingsOf,
  inAll,
  isSample,
  looked,
  sampled,
  samplesOf,
} from "./finding";

/** Checks of a service in its newest data: effects, keys, answers and retries. */

const unkeyed = ({ it }: FactsOf<KeyFacts>): KeyFacts["effects"] => it.effects.filter((one) => one.unkeyed.count > 0);
const seen = ({ it }: FactsOf<KeyFacts>): KeyFacts["effects"] => it.effects.filter((one) => one.looked > 0);

const EFFECT_CLAIMS: readonly CheckClaim<FactsOf<KeyFacts>>[] = [
  {
    name: "effects without a key",
    verdict: "fails",
    samples: (facts) => unkeyed(facts).flatMap((one) => samplesOf(one.unkeyed, "/find?q=") ?? []),
    holds: (facts) => unkeyed(facts).length > 0,
    words: (facts) =>
      `${unkeyed(facts)
        .map((one) => plural(one.unkeyed.count, one.kind))
        .join(", ")} without a key.`,
  },
  {
    name: "no effect",
    verdict: "cannot_tell",
    holds: (facts) => seen(facts).length === 0 && unkeyed(facts).length === 0,
    words: ({ hours }) => `No payment, refund or void in the last ${String(hours)} h to look at.`,
  },
  {
    name: "each effect has a key",
    verdict: "holds",
    href: "/operations",
    holds: (facts) => seen(facts).length > 0 && unkeyed(facts).length === 0,
    words: (facts) => {
      const text = seen(facts).map((one) => looked(one.looked, one.kind, facts));
      return `${capital(text.join(", "))} in the last ${String(facts.hours)} h: each belongs to a key.`;
    },
  },
];

export function effectsHaveKey(facts: ChecklistFacts): Findings {
  return findingsOf("Effects without a key", facts, facts.keys, EFFECT_CLAIMS);
}

const HASH_CLAIMS: readonly CheckClaim<FactsOf<KeyFacts>>[] = [
  {
    name: "keys without a hash",
    verdict: "fails",
    samples: ({ it }) => samplesOf(it.unhashed),
    holds: ({ it }) => it.unhashed.count > 0,
    words: ({ it }) => `${plural(it.unhashed.count, "key")} without a hash of the command.`,
  },
  {
    name: "no key",
    verdict: "cannot_tell",
    holds: ({ it }) => it.keys === 0,
    words: ({ hours }) => `No key in the last ${String(hours)} h to look at.`,
  },
  {
    name: "each key has a hash",
    verdict: "holds",
    holds: ({ it }) => it.keys > 0 && it.unhashed.count === 0,
    words: (facts) =>
      `${capital(looked(facts.it.keys, "key", facts))} in the last ${String(facts.hours)} h, each with the hash of its command.`,
  },
];

export function commandsHashed(facts: ChecklistFacts): Findings {
  return findingsOf("Hashes of commands", facts, facts.keys, HASH_CLAIMS);
}

function wouldGet({ policies }: ChecklistFacts): string {
  const statuses = [...new Set(policies.map(({ policy }) => policy.mismatchStatus))];
  return statuses.length === 0 ? "" : `; one would get ${statuses.join(" or ")}`;
}

const CONFLICT_CLAIMS: readonly CheckClaim<FactsOf<AnswerFacts>>[] = [
  {
    name: "conflicts that were let through",
    verdict: "fails",
    samples: ({ it }) => samplesOf(it.accepted),
    holds: ({ it }) => it.accepted.count > 0,
    words: ({ it }) => `${plural(it.accepted.count, "conflict")} answered with another status than 409 or 422.`,
  },
  {
    name: "no conflict",
    verdict: "note",
    href: "/conflicts",
    holds: ({ it }) => it.accepted.count === 0 && it.conflicts === 0,
    words: (facts) => `No conflict among ${sampled(facts, facts.it)}${wouldGet(facts)}.`,
  },
  {
    name: "each conflict was refused",
    verdict: "holds",
    href: "/conflicts",
    holds: ({ it }) => it.accepted.count === 0 && it.conflicts > 0,
    words: (facts) =>
      `${plural(facts.it.conflicts, "conflict")} among ${sampled(facts, facts.it)}, each refused with 409 or 422.`,
  },
];

export function conflictsRefused(facts: ChecklistFacts): Findings {
  return [
    ...findingsOf("Conflicts", facts, facts.answers, CONFLICT_CLAIMS),
    ...inAll(facts, facts.counted?.conflicts, "conflict"),
  ];
}

/** Of the newest answers the status is compared, too. */
const REPLAY_CLAIMS: readonly CheckClaim<FactsOf<AnswerFacts>>[] = [
  {
    name: "replays that differ",
    verdict: "fails",
    samples: ({ it }) => samplesOf(it.differing),
    holds: ({ it }) => it.differing.count > 0,
    words: ({ it }) => `${plural(it.differing.count, "operation")} replayed with another status or other bytes.`,
  },
  {
    name: "no replay",
    verdict: "cannot_tell",
    holds: (facts) => facts.it.replays === 0 && facts.it.differing.count === 0 && !isSample(facts, facts.it),
    words: ({ hours }) => `No replay in the last ${String(hours)} h to compare.`,
  },
  {
    name: "no replay in the sample",
    verdict: "cannot_tell",
    holds: (facts) => facts.it.replays === 0 && facts.it.differing.count === 0 && isSample(facts, facts.it),
    words: (facts) => `No replay among ${sampled(facts, facts.it)} to compare.`,
  },
  {
    name: "each replay is the first answer",
    verdict: "holds",
    holds: ({ it }) => it.replays > 0 && it.differing.count === 0,
    words: (facts) =>
      `${plural(facts.it.replays, "replay")} among ${sampled(facts, facts.it)}, each with the status and the bytes of the first answer.`,
  },
];

const REFERENCE_CLAIMS: readonly CheckClaim<PolicyFact>[] = [
  {
    name: "a policy replays by reference",
    verdict: "fails",
    href: ({ operation }) => `/policies#${operation}`,
    holds: ({ policy }) => policy.replay === "reference",
    words: ({ kind }) => `${kind}: a replay shows the resource as it is now, as its policy says.`,
  },
];

export function replaysSame(facts: ChecklistFacts): Findings {
  return [
    ...findingsOf("Replays", facts, facts.answers, REPLAY_CLAIMS),
    ...inAll(facts, facts.counted?.replays, "replay"),
    ...facts.policies.flatMap((policy) => findings(REFERENCE_CLAIMS, policy)),
  ];
}

/** One retry in this many may be too early or in vain, and a few always are. */
const TOLERATED_ONE_IN = 20;
const TOLERATED_ALWAYS = 3;

const isTolerated = ({ retries, tooSoon, hopeless }: RetryFacts): boolean =>
  tooSoon + hopeless <= Math.max(TOLERATED_ALWAYS, retries / TOLERATED_ONE_IN);
const orNone = (value: number): string => (value === 0 ? "none" : formatCount(value));
const retryWords = ({ client, retries, tooSoon, hopeless }: RetryFacts): string =>
  `${cutName(client)}: ${plural(retries, "retry", "retries")}, ${orNone(tooSoon)} before Retry-After, ${orNone(hopeless)} after a refusal that no retry heals`;
const pageOf = ({ client }: RetryFacts): string => `/clients/${encodeURIComponent(client)}`;

/** How one client retries. */
const CLIENT_RETRY_CLAIMS: readonly CheckClaim<RetryFacts>[] = [
  { name: "retries well", verdict: "holds", href: pageOf, holds: isTolerated, words: (it) => `${retryWords(it)}.` },
  {
    name: "retries in vain",
    verdict: "fails",
    href: pageOf,
    holds: (it) => !isTolerated(it),
    words: (it) => `${retryWords(it)}.`,
  },
];

/** What was looked at; the answers may not have been read in time though the retries were. */
const RETRY_SAMPLE_CLAIMS: readonly CheckClaim<FactsOf<readonly RetryFacts[]>>[] = [
  {
    name: "no retry",
    verdict: "cannot_tell",
    holds: (facts) => facts.it.length === 0 && facts.answers !== undefined && !isSample(facts, facts.answers),
    words: ({ hours }) => `No client retried in the last ${String(hours)} h.`,
  },
  {
    name: "no retry in the sample",
    verdict: "cannot_tell",
    holds: (facts) => facts.it.length === 0 && (facts.answers === undefined || isSample(facts, facts.answers)),
    words: (facts) =>
      `No client retried among ${facts.answers === undefined ? "the answers looked at" : sampled(facts, facts.answers)}.`,
  },
  {
    name: "retries of a sample",
    verdict: "note",
    holds: (facts) => facts.it.length > 0 && facts.answers !== undefined && isSample(facts, facts.answers),
    words: (facts) => (facts.answers === undefined ? "" : `Looked at ${sampled(facts, facts.answers)}.`),
  },
];

export function clientsRetryWell(facts: ChecklistFacts): Findings {
  return [
    ...(facts.retries ?? []).flatMap((one) => findings(CLIENT_RETRY_CLAIMS, one)),
    ...findingsOf("Retries of clients", facts, facts.retries, RETRY_SAMPLE_CLAIMS),
  ];
}

const TRACE_CLAIMS: readonly CheckClaim<FactsOf<AnswerFacts>>[] = [
  {
    name: "answers that cannot be traced",
    verdict: "fails",
    samples: ({ it }) => samplesOf(it.untraceable),
    holds: ({ it }) => it.untraceable.count > 0,
    words: ({ it }) => `${plural(it.untraceable.count, "answer")} without the attempt or the request it belongs to.`,
  },
  {
    name: "no answer",
    verdict: "cannot_tell",
    holds: ({ it }) => it.looked === 0,
    words: ({ hours }) => `Nobody was answered in the last ${String(hours)} h.`,
  },
  {
    name: "each answer can be traced",
    verdict: "holds",
    holds: ({ it }) => it.looked > 0 && it.untraceable.count === 0,
    words: (facts) =>
      `${capital(looked(facts.it.looked, "answer", facts))} in the last ${String(facts.hours)} h, each with its operation, request and attempt.`,
  },
];

export function answersTraceable(facts: ChecklistFacts): Findings {
  return findingsOf("Events of answers", facts, facts.answers, TRACE_CLAIMS);
}
