import { WIRE_PROFILES, type WireProfile } from "@/domain/access/permission";
import { errorViewOf, type ErrorView } from "../profiles/error-view";
import { RENDERERS } from "../profiles/profiles";
import { refusalOf } from "../profiles/refusal-of";

/** One error format, for the document and its page. */
export interface ProfileRow {
  readonly name: WireProfile;
  readonly means: string;
  /** Content-Type of a refusal. */
  readonly type: string;
  /** Status of a key that is used again with another command. */
  readonly mismatch: string;
  /** That conflict in this format. */
  readonly example: unknown;
}

const BY_POLICY = "409, or 422 where the operation's policy says so";
const TEXTS: Readonly<Record<WireProfile, Pick<ProfileRow, "means" | "mismatch">>> = {
  problem: { means: "The default: problem documents (RFC 9457).", mismatch: BY_POLICY },
  playbook: {
    means: "The class of the error in front of its code, and what to do; also as the header Error-Code.",
    mismatch: "409",
  },
  fault: {
    means: "A fault with an entry for each thing that is wrong, found by faultId in logs and events.",
    mismatch: "422",
  },
  article: { means: "A code and a message.", mismatch: BY_POLICY },
};

const CONFLICT: ErrorView = {
  ...errorViewOf(
    refusalOf({ outcome: "conflict", operation: undefined, differingFields: ["amount"] }, { mismatchStatus: 409 }),
    { requestId: "0190a5e3-1f44-7a10-8c22-90ab12cd34ef", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
    undefined,
  ),
  operation: { operationId: "0190a5e2-7c1b-7d3e-9f00-3a2b1c0d4e5f", operationState: "COMPLETED" },
};

/** The API key chooses one (`npm run api-key -- … --profile fault`). They differ in how a refusal looks, and in nothing else. */
export const PROFILES: readonly ProfileRow[] = WIRE_PROFILES.map((name) => ({
  name,
  means: TEXTS[name].means,
  type: RENDERERS[name].errorType,
  mismatch: TEXTS[name].mismatch,
  example: profileExample(name),
}));

/** @returns a conflict as this profile renders it. */
export function profileExample(name: WireProfile): unknown {
  return RENDERERS[name].body(CONFLICT);
}
