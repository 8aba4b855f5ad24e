import { z } from "zod";
import { AppError } from "@/domain/errors";
import { zodFindingsOf, type Finding } from "../body/validate";
import type { ParsedJson } from "../body/parse-json";
import { PROTOCOL } from "./protocol";

/** Entries of `extensions`; a caller has a handful. */
const MAX_EXTENSIONS = 32;

/** Id of one attempt, chosen by the caller: visible ASCII, so that it is safe in logs, events and tables. */
const id = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible ASCII characters");
const name = z.string().min(1).max(128);

/** Members that this version does not know are ignored, except inside `call.arguments` and our own extension. */
export const meshRequest = z.object({
  protocol: z.object({
    name: z.literal(PROTOCOL.name),
    version: z.string().regex(/^0\.1\.\d{1,6}$/, `a version that is compatible with ${PROTOCOL.version}`),
  }),
  id,
  call: z.object({ function: name, version: name, arguments: z.record(z.string(), z.unknown()).default({}) }),
  extensions: z
    .array(z.object({ urn: name, options: z.unknown().optional() }))
    .max(MAX_EXTENSIONS)
    .default([]),
});

export interface MeshCall {
  readonly id: string;
  readonly function: string;
  readonly version: string;
  /** As if they had been a body of their own. */
  readonly arguments: ParsedJson;
  readonly extensions: readonly { readonly urn: string; readonly options?: unknown }[];
}

const ARGUMENTS = "call.arguments.";

/** @returns the id that an answer repeats, also when the rest of the envelope is not usable; null without a good one. */
export function envelopeId({ value }: ParsedJson): string | null {
  const parsed = z.object({ id }).safeParse(value);
  return parsed.success ? parsed.data.id : null;
}

/** @throws AppError `validation.envelope` 400 with `errors: [{path, message}]`; nothing is recorded */
export function readEnvelope(body: ParsedJson): MeshCall {
  const parsed = meshRequest.safeParse(body.value);
  if (!parsed.success) throw badEnvelope(zodFindingsOf(parsed.error));
  const { call, extensions } = parsed.data;
  const fractions = body.fractions.flatMap((path) =>
    path.startsWith(ARGUMENTS) ? [path.slice(ARGUMENTS.length)] : [],
  );
  return {
    id: parsed.data.id,
    function: call.function,
    version: call.version,
    arguments: { value: call.arguments, fractions },
    extensions,
  };
}

function badEnvelope(errors: readonly Finding[]): AppError {
  return new AppError("validation.envelope", 400, "The envelope is not valid", {
    detail: "Nothing was recorded; the same key may be used with a corrected envelope.",
    extensions: { errors },
  });
}
