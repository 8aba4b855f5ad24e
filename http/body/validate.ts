import type { z } from "zod";
import { AppError } from "@/domain/errors";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { CommandBody } from "@/engine/module/route";
import type { ParsedJson } from "./parse-json";

/** Findings in one answer, at most. */
const MAX_FINDINGS = 20;
const MAX_PATH_LENGTH = 100;

export interface Finding {
  /** Dotted path of the member; empty for the body itself. */
  readonly path: string;
  readonly message: string;
}

/** @throws AppError `validation.body` 422 with `errors: [{path, message}]` that name members, never values */
export function validate<Output>(schema: z.ZodType<Output>, body: ParsedJson): Output {
  return validateCommand({ schema }, body, { unknownFields: "reject" });
}

/**
 * Turns a body into a command. What is refused names its member, never its value.
 *
 * @param policy whether members that the contract does not know are refused or left out of the command
 * @throws AppError `validation.amount` or `validation.body` 422 with `errors: [{path, message}]`; nothing is recorded
 */
export function validateCommand<Output>(
  { schema, amounts = [] }: CommandBody<Output>,
  body: ParsedJson,
  policy: Pick<OperationPolicy, "unknownFields">,
): Output {
  const fraction = amounts.find((name) => body.fractions.includes(name));
  if (fraction !== undefined) {
    throw invalid(
      [{ path: fraction, message: 'a number must be whole minor units; write "10.00" as a text' }],
      amounts,
    );
  }
  let parsed = schema.safeParse(body.value);
  if (!parsed.success && policy.unknownFields === "ignore")
    parsed = schema.safeParse(withoutUnknown(body.value, parsed.error.issues));
  if (parsed.success) return parsed.data;
  throw invalid(zodFindingsOf(parsed.error), amounts);
}

/** @returns what is wrong, member by member; names and rules, never a value. */
export function zodFindingsOf({ issues }: z.ZodError): Finding[] {
  return issues.slice(0, MAX_FINDINGS).map((issue) => ({
    path: issue.path.map(String).join(".").slice(0, MAX_PATH_LENGTH),
    message: messageOf(issue),
  }));
}

/** @returns a copy without the members that the schema does not know. */
function withoutUnknown(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce<unknown>((at, name) => (isObject(at) ? at[String(name)] : undefined), copy);
    if (isObject(holder)) for (const key of issue.keys) Reflect.deleteProperty(holder, key);
  }
  return copy;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return issue.message;
  return `unknown members: ${issue.keys.map((key) => key.slice(0, MAX_PATH_LENGTH)).join(", ")}`.slice(
    0,
    MAX_PATH_LENGTH * 2,
  );
}

function invalid(errors: readonly Finding[], amounts: readonly string[]): AppError {
  const onlyAmounts = errors.length > 0 && errors.every(({ path }) => amounts.includes(path));
  return new AppError(onlyAmounts ? "validation.amount" : "validation.body", 422, "The command is not valid", {
    detail: "Nothing was recorded; the same key may be used with a corrected body.",
    extensions: { errors },
  });
}
