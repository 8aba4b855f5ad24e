import { holding, type PageClaim } from "@/domain/page-claim";
import type { OperationDetail } from "../views/operations";

type RetryFacts = Pick<
  OperationDetail,
  "at" | "runsIn" | "state" | "responseStatus" | "errorCode" | "expiresAt" | "replay" | "bodyPurgedAt"
>;
const open = ({ expiresAt, at }: RetryFacts): boolean => expiresAt > at;
const settled = ({ state, responseStatus }: RetryFacts): boolean =>
  responseStatus !== undefined && (state === "COMPLETED" || state === "FAILED_REPLAYABLE");
const noBytes = (it: RetryFacts): boolean =>
  settled(it) && open(it) && it.replay !== "reference" && (it.replay === "none" || it.bodyPurgedAt !== undefined);
const whyGone = ({ replay }: RetryFacts): string => (replay === "none" ? "too large to keep" : "purged");
const answer = ({ responseStatus, errorCode }: RetryFacts): string =>
  `${String(responseStatus ?? "")}${errorCode === undefined ? "" : `, ${errorCode}`}`;

/** What a retry of the key gets while its window is open. */
export const RETRY_CLAIMS: readonly PageClaim<RetryFacts>[] = [
  {
    name: "retries_get_answer",
    holds: (it) => settled(it) && open(it) && it.bodyPurgedAt === undefined && (it.replay ?? "stored") === "stored",
    words: (it) => `Every retry gets the stored answer ${answer(it)}.`,
  },
  {
    name: "retries_get_resource",
    holds: (it) => settled(it) && open(it) && it.replay === "reference",
    words: (it) => `Every retry gets ${answer(it)} with the resource as it is then.`,
  },
  {
    name: "retries_get_gone",
    holds: (it) => it.runsIn === "module" && noBytes(it),
    words: (it) => `Every retry gets 410: the answer was ${whyGone(it)}.`,
  },
  {
    name: "retries_find_no_answer",
    holds: (it) => it.runsIn !== "module" && noBytes(it),
    words: (it) => `No answer is kept for a retry: it was ${whyGone(it)}.`,
  },
];

/** @returns undefined where nothing is certain: nothing is settled, or the window of the key is over */
export function retriesText(facts: RetryFacts): string | undefined {
  return holding(RETRY_CLAIMS, facts)[0]?.words(facts);
}
