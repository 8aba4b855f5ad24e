import type { Hono } from "hono";
import { z } from "zod";
import { CONFLICT_MARKS, markConflicts } from "@/engine/mark-conflicts";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { reason } from "./action-bodies";
import { actionAnswer, bodyOf } from "./actions";

const NAME_MAX = 300;
const name = z.string().min(1).max(NAME_MAX);
const markBody = z.strictObject({ client: name, operation: name, mark: z.enum(CONFLICT_MARKS), reason });

/** Whose fault the conflicts of a client and operation are (C.3); its reason is the note beside the mark. */
export function registerConflictMarks(app: Hono<AdminEnv>): void {
  app.post(
    "/conflicts/mark",
    needsKey(async (c) => {
      const { reason: note, ...group } = await bodyOf(c, markBody);
      const click = { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt") };
      const result = await markConflicts(c.get("ctx"), click, { ...group, note });
      return actionAnswer(c, result, { message: messageOf(group.mark, result.answer.affected) });
    }),
  );
}

function messageOf(mark: (typeof CONFLICT_MARKS)[number], affected: number): string {
  if (mark === "none") return affected === 0 ? "It had no mark." : "The mark is gone.";
  return "It is marked. A conflict that comes after this shows as new.";
}
