import { z } from "zod";
import { DECISIONS } from "@/engine/recover/resolve";

const REASON_MAX = 500;
const EVIDENCE_ITEMS_MAX = 20;
const EVIDENCE_TEXT_MAX = 500;

/** Kept in the audit. */
export const reason = z.string().trim().min(1, "say why").max(REASON_MAX);

const evidenceText = z.string().trim().min(1).max(EVIDENCE_TEXT_MAX);
/** Names of what the decision rests on; `{name: note}` is the same as `"name: note"`. */
const evidence = z
  .union([
    z.array(evidenceText).max(EVIDENCE_ITEMS_MAX),
    z
      .record(z.string().min(1).max(EVIDENCE_TEXT_MAX), evidenceText)
      .refine(
        (notes) => Object.keys(notes).length <= EVIDENCE_ITEMS_MAX,
        `at most ${String(EVIDENCE_ITEMS_MAX)} pieces`,
      )
      .transform((notes) => Object.entries(notes).map(([name, note]) => `${name}: ${note}`)),
  ])
  .default([]);

export const reasonBody = z.strictObject({ reason });

/** Asking the provider is harmless, so a reason is welcome and not needed. */
export const noBody = z.strictObject({ reason: reason.optional() }).optional();

export const resolveBody = z.strictObject({
  decision: z.enum(DECISIONS),
  evidence,
  reason,
  providerReference: z.string().trim().min(1).max(EVIDENCE_TEXT_MAX).optional(),
});

/** A decision that a second person is to approve: a final one. */
export const proposeBody = resolveBody.extend({ decision: z.enum(["succeeded", "failed"]) });

/** Whoever asks, or nobody. */
export const assignBody = z.strictObject({ to: z.enum(["me", "nobody"]) });
