import { createHash } from "node:crypto";
import type { CallResult } from "./oracles/recorder";

/** The claim belongs to one client, whichever of its processes asks. */
export const PRINCIPAL = "till";

/** The members that a result lacks. */
export const NO_RESULT: Omit<CallResult, "outcome"> = {
  status: undefined,
  code: undefined,
  certainty: undefined,
  retryable: undefined,
  bodyHash: undefined,
  resourceType: undefined,
  resourceId: undefined,
  operationId: undefined,
};

const LOCATION = /^\/api\/v1\/(payment|refund|account)s\/(.+)$/;

/** What an answer says of the resource that was made. */
export function madeBy(
  location: string | undefined,
  body: Uint8Array,
): Pick<CallResult, "bodyHash" | "resourceType" | "resourceId"> {
  const [, resourceType, resourceId] = LOCATION.exec(location ?? "") ?? [];
  return { bodyHash: createHash("sha256").update(body).digest("hex"), resourceType, resourceId };
}
