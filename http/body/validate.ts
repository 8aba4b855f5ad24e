import type { z } from "zod";
import { AppError } from "@/domain/errors";
import type { ParsedJson } from "./parse-json";

/** Findings that are told at the most. */
const MAX_FINDINGS = 20;
const MAX_PATH_LENGTH = 100;
const AMOUNT_MEMBER = "amount";

export interface Finding {
  /** Dotted path of the member; empty for the body itself. */
  readonly path: string;
  readonly message: string;
}

/**
 * Turns a body into a command. What is refused names its member, never its value.
 *
 * @throws AppError `validation.amount` or `validation.body` 422 with `errors: [{path, message}]`; nothing is recorded
 */
export function validate<Output>(schema: z.ZodType<Output>, body: ParsedJson): Output {
  if (body.fractions.includes(AMOUNT_MEMBER)) {
    throw invalid([{ path: AMOUNT_MEMBER, message: 'a number must be whole minor units; write "10.00" as a text' }]);
  }
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.slice(0, MAX_FINDINGS).map((issue) => ({
      path: issue.path.map(String).join(".").slice(0, MAX_PATH_LENGTH),
      message: messageOf(issue),
    })),
  );
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return issue.message;
  return `unknown members: ${issue.keys.map((key) => key.slice(0, MAX_PATH_LENGTH)).join(", ")}`.slice(
    0,
    MAX_PATH_LENGTH * 2,
  );
}

function invalid(errors: readonly Finding[]): AppError {
  const onlyAmount = errors.length > 0 && errors.every(({ path }) => path === AMOUNT_MEMBER);
  return new AppError(onlyAmount ? "validation.amount" : "validation.body", 422, "The command is not valid", {
    detail: "Nothing was recorded; the same key may be used with a corrected body.",
    extensions: { errors },
  });
}
