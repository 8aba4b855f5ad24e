import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { formatCount } from "./display-time";
import { plural, spokenDuration } from "./words";

/** What waits somewhere: counting stops at WAITING_COUNTED. */
export interface WaitingCount {
  readonly waiting: number;
  /** Of a consumer: as many or more wait in the inbox, and only the first of each lane were looked at. */
  readonly sampled?: boolean | undefined;
}

/** More may wait than were counted, and longer. */
export function isAtLeast({ waiting, sampled }: WaitingCount): boolean {
  return sampled === true || waiting >= WAITING_COUNTED;
}

/** Others wait, and none of these was found among the first. */
export function isUncounted({ waiting, sampled }: WaitingCount): boolean {
  return sampled === true && waiting === 0;
}

/** "12", "10,000+"; "not counted" where others wait and none of these was found among the first. */
export function waitingCount(of: WaitingCount): string {
  if (isUncounted(of)) return "not counted";
  return `${formatCount(of.waiting)}${isAtLeast(of) ? "+" : ""}`;
}

/** "1 message", "10,000+ messages". */
export function waitingMessages(of: WaitingCount, one = "message"): string {
  return isAtLeast(of) ? `${waitingCount(of)} ${one}s` : plural(of.waiting, one);
}

/** "1 waits", "12 wait", "10,000+ wait". */
export function waitingWords(of: WaitingCount): string {
  return `${waitingCount(of)} ${of.waiting === 1 && !isAtLeast(of) ? "waits" : "wait"}`;
}

/** "4 minutes", "at least 4 minutes". */
export function waitingAge(of: WaitingCount, ms: number): string {
  return `${isAtLeast(of) ? "at least " : ""}${spokenDuration(ms)}`;
}
