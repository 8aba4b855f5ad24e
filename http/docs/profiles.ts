import type { WireProfile } from "@/domain/access/permission";

/** One error format, for the document and its page. */
export interface ProfileRow {
  readonly name: WireProfile;
  readonly means: string;
  /** Content-Type of a refusal. */
  readonly type: string;
  /** Status of a key that is used again with another command. */
  readonly mismatch: string;
  /** That conflict as it is told. */
  readonly example: unknown;
}

const ID = "0190a5e2-7c1b-7d3e-9f00-3a2b1c0d4e5f";
const REQUEST = "0190a5e3-1f44-7a10-8c22-90ab12cd34ef";
const DETAIL =
  "The key was used first with another command, which stays as it is. This command was not executed; if it is meant, send it under a new key.";

/** The API key chooses one (`npm run api-key -- … --profile fault`). They differ in how a refusal looks, and in nothing else. */
export const PROFILES: readonly ProfileRow[] = [
  {
    name: "problem",
    means: "The default: problem documents (RFC 9457).",
    type: "application/problem+json",
    mismatch: "409, or 422 where the operation's policy says so",
    example: {
      type: "/api/v1/docs#error-idempotency-payload_mismatch",
      title: "This key stands for another command",
      status: 409,
      detail: DETAIL,
      instance: `urn:onceboard:request:${REQUEST}`,
      code: "idempotency.payload_mismatch",
      retryable: false,
      differingFields: ["amount"],
      safeNewKey: true,
      operationId: ID,
      operationState: "COMPLETED",
    },
  },
  {
    name: "playbook",
    means: "The class of the error in front of its code, and what to do; also as the header Error-Code.",
    type: "application/json",
    mismatch: "409",
    example: {
      code: "CONFLICT.idempotency.payload_mismatch",
      category: "CONFLICT",
      error_code: "idempotency.payload_mismatch",
      message: `This key stands for another command. ${DETAIL}`,
      retryable: false,
      hint: "Generate new key",
      request_id: REQUEST,
      operation_id: ID,
      operation_state: "COMPLETED",
      differing_fields: ["amount"],
      safe_new_key: true,
    },
  },
  {
    name: "fault",
    means: "A fault with an entry for each thing that is wrong, found by faultId in logs and events.",
    type: "application/json",
    mismatch: "422",
    example: {
      fault: {
        faultId: REQUEST,
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        errors: [
          {
            errorCode: "IDEMPOTENCY_CONFLICT",
            description: "An Idempotency-Key may not be reused with a different request body.",
          },
        ],
      },
    },
  },
  {
    name: "article",
    means: "A code and a message.",
    type: "application/json",
    mismatch: "409, or 422 where the operation's policy says so",
    example: {
      errorCode: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
      message: "This idempotency key was already used with a different request.",
    },
  },
];

/** @returns that conflict as this profile tells it. */
export function profileExample(name: WireProfile): unknown {
  return PROFILES.find((profile) => profile.name === name)?.example;
}
