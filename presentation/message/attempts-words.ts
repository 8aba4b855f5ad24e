import type { PageClaim } from "@/domain/page-claim";

/** Of a message no attempt of which can be listed. */
interface UnlistedAttempts {
  /** Attempts that the message itself has counted. */
  readonly attempts: number;
}

/** Why the list of attempts is empty: the message counts them, and their own rows go with their retention. */
export const UNLISTED: readonly PageClaim<UnlistedAttempts>[] = [
  { name: "not_tried", holds: ({ attempts }) => attempts === 0, words: () => "Not tried yet." },
  {
    name: "not_on_record",
    holds: ({ attempts }) => attempts > 0,
    words: ({ attempts }) =>
      attempts === 1 ? "The attempt is not on record any more." : "The attempts are not on record any more.",
  },
];
