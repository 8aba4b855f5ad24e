import { firstWords, type PageClaim } from "@/domain/page-claim";
import type { InvariantRow } from "@/domain/checks/rows";
import type { InvariantsView } from "../views/overview";
import { OLD_CHECK_MS } from "../checks/finding";
import { formatAge } from "../format/display-time";
import { plural } from "../format/words";

/** The last check of executions per key. */
interface SentTwiceFacts {
  readonly checked: boolean;
  readonly violations: number;
  readonly capped: boolean;
  /** Undefined: this check was never run, whatever others were. */
  readonly ageMs: number | undefined;
  /** That the check looked back. */
  readonly hours: number;
}

const none = ({ checked, violations }: SentTwiceFacts): boolean => checked && violations === 0;
const keys = ({ violations, capped }: SentTwiceFacts): string =>
  capped
    ? `More than ${plural(violations, "key")} have`
    : `${plural(violations, "key")} ${violations === 1 ? "has" : "have"}`;

/** Whether something was sent twice depends on its check: exactly one of these holds. */
const SENT_TWICE_CLAIMS: readonly PageClaim<SentTwiceFacts>[] = [
  {
    name: "never checked",
    holds: ({ ageMs }) => ageMs === undefined,
    words: () => "Whether something was sent twice was not checked yet.",
  },
  {
    name: "not checked in time",
    holds: ({ ageMs, checked }) => ageMs !== undefined && !checked,
    words: () => "Whether something was sent twice could not be checked in time.",
  },
  {
    name: "sent once, as far as it was checked",
    holds: (facts) => none(facts) && (facts.ageMs ?? 0) > OLD_CHECK_MS,
    words: ({ ageMs = 0 }) => `When it was last checked, ${formatAge(ageMs)} ago, nothing had been sent twice.`,
  },
  {
    name: "sent once",
    holds: (facts) => none(facts) && (facts.ageMs ?? 0) <= OLD_CHECK_MS,
    words: ({ hours }) =>
      `Nothing has been sent twice: no key of the last ${String(hours)} hours has more than one execution.`,
  },
  {
    name: "sent twice",
    holds: ({ checked, violations }) => checked && violations > 0,
    words: (facts) => `${keys(facts)} more than one execution.`,
  },
];

export function sentTwice({ windowHours, rows }: Pick<InvariantsView, "windowHours" | "rows">): string {
  const once: InvariantRow | undefined = rows.find((row) => row.name === "one_execution_per_key");
  const { checked = false, violations = 0, capped = false, ageMs } = once ?? {};
  return firstWords(SENT_TWICE_CLAIMS, { checked, violations, capped, ageMs, hours: windowHours });
}
