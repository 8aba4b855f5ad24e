import { OPERATION_STATES } from "@/domain/idempotency/states";
import { CATEGORIES } from "../profiles/names";
import { object, text, uuid, type JsonSchema } from "./json-schema";
import { PROFILES } from "./profiles";

const exampleOf = (name: string): unknown => PROFILES.find((profile) => profile.name === name)?.example;

/** Refusals in the dresses beside the problem document. */
export function dressSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    PlaybookError: {
      ...object(
        {
          code: { ...text, description: "The class of the error, a dot, and the rest of its code" },
          category: { enum: [...CATEGORIES] },
          error_code: { ...text, description: "The same in every profile" },
          message: text,
          retryable: { type: "boolean", description: "Whether the same request under the same key can succeed later" },
          hint: { ...text, description: "What to do" },
          request_id: { ...text, description: "Absent in a refusal that is kept: its replays have the same bytes" },
          operation_id: uuid,
          operation_state: { enum: [...OPERATION_STATES] },
        },
        ["request_id", "operation_id", "operation_state"],
      ),
      description: "Further members are those of the problem document, in snake_case",
      examples: [exampleOf("playbook")],
    },
    Fault: {
      ...object({
        fault: object({
          faultId: { ...text, description: "This occurrence; of a kept refusal its operation" },
          traceId: { ...text, description: "The caller's trace, else the request; of a kept refusal its operation" },
          errors: { type: "array", minItems: 1, items: object({ errorCode: text, description: text }) },
        }),
      }),
      examples: [exampleOf("fault")],
    },
    ArticleError: { ...object({ errorCode: text, message: text }), examples: [exampleOf("article")] },
  };
}
