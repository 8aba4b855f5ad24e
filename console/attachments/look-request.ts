import { z } from "zod";
import { tableMap } from "@/attach/probe/guess-map";

const MAX_URL = 2_000;
/** Names of PostgreSQL have at most 63 bytes. */
const MAX_NAME = 63;
const MAX_PRESET = 100;
const MAX_VALUE = 100;
const MAX_CONSTANTS = 20;

/** `postgres://login:password@host:port/database`: kept nowhere, and in no answer. */
export const attachmentUrl = z.string().min(1).max(MAX_URL);
/** The schema that an installation makes. */
export const attachmentSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, "must be the name of a schema");

/** What to look at, and what of it was chosen so far. */
export const lookRequest = z.strictObject({
  url: attachmentUrl,
  schema: attachmentSchema.optional(),
  /** A library that was recognised, and in which schema of theirs, where it is in several. */
  preset: z.string().max(MAX_PRESET).optional(),
  in: z.string().max(MAX_NAME).optional(),
  /** Instead of a preset: a table made by hand. */
  map: tableMap.optional(),
  constants: z
    .record(z.string().max(MAX_NAME), z.string().max(MAX_VALUE))
    .refine((values) => Object.keys(values).length <= MAX_CONSTANTS, `at most ${String(MAX_CONSTANTS)} constants`)
    .optional(),
  /** The login that the SQL names; default that of the address. */
  role: z.string().min(1).max(MAX_NAME).optional(),
  /** Whether the functions that change rows are part of the SQL. */
  acting: z.boolean().optional(),
});
export type LookRequest = z.infer<typeof lookRequest>;
