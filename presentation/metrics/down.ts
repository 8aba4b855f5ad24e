import { claimWords, type PageClaim } from "@/domain/page-claim";
import type { LoopRow } from "@/domain/checks/rows";
import { freshestLoops } from "./heartbeat";

/** What does not run, as far as this process knows. */
export interface DownFacts {
  /** Processes that ended and that the supervisor is starting again. */
  readonly parts: readonly string[];
  /** Loops of the workers of the last day. */
  readonly loops: readonly LoopRow[];
}

/** What stands above every page. */
export interface DownView {
  /** Processes beside the one that answers. */
  readonly parts: readonly string[];
  /** The workers' loops; the overview says the same in its verdict. */
  readonly loops: readonly string[];
}

const stopped = ({ loops }: DownFacts): readonly string[] =>
  freshestLoops(loops).flatMap(({ loop, state }) => (state === "stopped" ? [loop.replaceAll("_", " ")] : []));
const none = (facts: DownFacts): boolean => stopped(facts).length === freshestLoops(facts.loops).length;

export const DOWN_PARTS: readonly PageClaim<DownFacts>[] = [
  {
    name: "a process is down",
    holds: ({ parts }) => parts.length > 0,
    words: ({ parts }) =>
      parts.length === 1
        ? `The process ${parts[0] ?? ""} is down and is being started again.`
        : `The processes ${parts.join(", ")} are down and are being started again.`,
  },
];

export const DOWN_CLAIMS: readonly PageClaim<DownFacts>[] = [
  {
    name: "no worker",
    holds: (facts) => none(facts),
    words: () => "No worker runs.",
  },
  {
    name: "stopped loops",
    holds: (facts) => !none(facts) && stopped(facts).length > 0,
    words: (facts) =>
      stopped(facts).length === 1
        ? `The loop ${stopped(facts)[0] ?? ""} has stopped.`
        : `${String(stopped(facts).length)} loops have stopped: ${stopped(facts).join(", ")}.`,
  },
  {
    name: "no work is lost",
    holds: (facts) => stopped(facts).length > 0 || none(facts),
    words: () => "No work is lost: it waits until a worker beats again.",
  },
];

export function downView(facts: DownFacts): DownView {
  return {
    parts: claimWords(DOWN_PARTS, facts),
    loops: claimWords(DOWN_CLAIMS, facts),
  };
}
