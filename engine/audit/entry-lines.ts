import { z } from "zod";
import type { AuditRecord } from "@/domain/access/audit-text";

const text = z.string();
const maybe = z.string().nullable();
const whole = z.string().regex(/^-?\d{1,19}$/);
const shape = z.strictObject({
  ...{ chain: text, id: text, sequence: whole, micros: whole, actorKind: text, actorId: text, actorName: text },
  ...{ action: text, subjectType: text, subjectId: text, reason: maybe, before: maybe, after: maybe, evidence: maybe },
  ...{ requestId: maybe, version: z.number().int(), keyId: maybe, signature: maybe, previousHash: text, hash: text },
});

/** @returns the entry as one line of JSON; facts are texts, so that their digits and their order stay */
export function entryLine(entry: AuditRecord): string {
  return JSON.stringify({ ...entry, sequence: entry.sequence.toString(), micros: entry.micros.toString() });
}

/** @returns undefined when the line is no entry */
export function readEntryLine(line: string): AuditRecord | undefined {
  const parsed = shape.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  return { ...parsed.data, sequence: BigInt(parsed.data.sequence), micros: BigInt(parsed.data.micros) };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
