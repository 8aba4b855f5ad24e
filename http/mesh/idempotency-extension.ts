import { z } from "zod";
import { AppError } from "@/domain/errors";
import { parseIdempotencyKey } from "@/domain/idempotency/idempotency-key";
import { zodFindingsOf, type Finding } from "../body/validate";
import { keyInvalid, keyMissing } from "../guard/require-key";
import type { MeshCall } from "./envelope";
import { DURATION_UNITS, IDEMPOTENCY_URN, secondsOf } from "./protocol";

const MAX_DURATION_VALUE = 1_000_000_000;

/** Strict: an option that is misspelt must not be taken for none. */
export const idempotencyOptions = z.strictObject({
  key: z.string().optional(),
  ttl: z.strictObject({ value: z.int().min(1).max(MAX_DURATION_VALUE), unit: z.enum(DURATION_UNITS) }).optional(),
});

export interface MeshKey {
  readonly key: string;
  /** How long the caller wants it remembered; the operation's window is the most that it gets. */
  readonly ttlSeconds: number | undefined;
}

/**
 * The key of a mesh call is in its extension. Other extensions are nothing to us.
 *
 * @throws AppError `idempotency.key_missing`, `idempotency.key_invalid` or `validation.extension` 400; nothing is recorded
 */
export function readMeshKey({ extensions }: MeshCall): MeshKey {
  const [ours, ...more] = extensions.filter(({ urn }) => urn === IDEMPOTENCY_URN);
  if (ours === undefined) throw missing();
  if (more.length > 0) throw badExtension([{ path: "extensions", message: `${IDEMPOTENCY_URN} is there twice` }]);
  const parsed = idempotencyOptions.safeParse(ours.options ?? {});
  if (!parsed.success) {
    throw badExtension(zodFindingsOf(parsed.error).map(({ path, message }) => ({ path: pathOf(path), message })));
  }
  const { key, ttl } = parsed.data;
  if (key === undefined) throw missing();
  // The same rules as for the header: whatever is a key here is one there, so that both doors lead to one operation.
  const checked = parseIdempotencyKey([`"${key.replaceAll(/["\\]/g, "\\$&")}"`]);
  if (checked.kind !== "key") {
    const reason = checked.kind === "invalid" ? checked.reason : "it is empty";
    throw keyInvalid("The key of the idempotency extension is not usable", reason);
  }
  return { key: checked.key, ttlSeconds: ttl && secondsOf(ttl) };
}

function pathOf(path: string): string {
  return path === "" ? "options" : `options.${path}`;
}

function missing(): AppError {
  return keyMissing(`The extension ${IDEMPOTENCY_URN} with its option key is needed`);
}

function badExtension(errors: readonly Finding[]): AppError {
  return new AppError("validation.extension", 400, `The extension ${IDEMPOTENCY_URN} is not valid`, {
    detail: "Nothing was recorded; the same key may be used with corrected options.",
    extensions: { errors },
  });
}
