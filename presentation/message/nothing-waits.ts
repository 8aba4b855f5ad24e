import type { PageClaim } from "@/domain/page-claim";
import { formatCount } from "../format/display-time";
import type { PlaceRow } from "../views/places";

/** Why no message is in the list of those that wait longest: what is dead waits for a person, and is not handled. */
export const NOTHING_WAITS: readonly PageClaim<Pick<PlaceRow, "dead">>[] = [
  {
    name: "some_dead",
    holds: ({ dead }) => dead > 0,
    words: ({ dead }) => `Nothing waits; ${formatCount(dead)} ${dead === 1 ? "message is" : "messages are"} dead.`,
  },
  { name: "none", holds: ({ dead }) => dead === 0, words: () => "Nothing waits." },
];
