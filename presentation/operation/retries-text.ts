import { isOurs } from "@/domain/operation-label";
import { holding, type PageClaim } from "@/domain/page-claim";
import type { OperationRecord } from "../views/operations";

const open = ({ expiresAt, at }: OperationRecord): boolean => expiresAt > at;
const settled = ({ state, responseStatus }: OperationRecord): boolean =>
  responseStatus !== undefined && (state === "COMPLETED" || state === "FAILED_REPLAYABLE");
const noBytes = (it: OperationRecord): boolean =>
  settled(it) && open(it) && it.replay !== "reference" && (it.replay === "none" || it.bodyPurgedAt !== undefined);
const whyGone = ({ replay }: OperationRecord): string => (replay === "none" ? "too large to keep" : "purged");
const answer = ({ responseStatus, errorCode }: OperationRecord): string =>
  `${String(responseStatus ?? "")}${errorCode === undefined ? "" : `, ${errorCode}`}`;

/** What a retry of the key gets while its window is open. */
export const RETRY_CLAIMS: readonly PageClaim<OperationRecord>[] = [
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
    holds: (it) => isOurs(it.operation) && noBytes(it),
    words: (it) => `Every retry gets 410: the answer was ${whyGone(it)}.`,
  },
  {
    name: "retries_find_no_answer",
    holds: (it) => !isOurs(it.operation) && noBytes(it),
    words: (it) => `No answer is kept for a retry: it was ${whyGone(it)}.`,
  },
];

/** @returns undefined where nothing is certain: nothing is settled, or the window of the key is over */
export function retriesText(record: OperationRecord): string | undefined {
  return holding(RETRY_CLAIMS, record)[0]?.words(record);
}
