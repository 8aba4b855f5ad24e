import { AppError } from "@/domain/errors";
import { attachManifest, type AttachManifest } from "../contract/manifest";
import type { Foreign } from "../connection";

/**
 * What an installation says of itself.
 *
 * @param schema that was installed
 * @returns nothing when the schema is not there
 * @throws AppError `attach.manifest` when the comment on the schema is not what an installation writes
 */
export async function readAttachManifest(foreign: Foreign, schema: string): Promise<AttachManifest | undefined> {
  const [row] = await foreign.query<{ readonly comment: string | null }>(
    "select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1",
    [schema],
  );
  if (row === undefined) return undefined;
  const parsed = attachManifest.safeParse(parse(row.comment ?? ""));
  if (parsed.success) return parsed.data;
  throw new AppError("attach.manifest", 422, "The installed schema does not say what it is", {
    detail: `The comment on the schema ${schema} is not what onceboard attach writes: install it again.`,
    cause: parsed.error,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
