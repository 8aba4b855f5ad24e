import type { Hono } from "hono";
import { z } from "zod";
import { CONFLICT_MARKS, markConflicts } from "@/console/actions/mark-conflicts";
import type { AdminEnv } from "../env";
import { actionAnswer, originOf } from "./action-answer";
import { reason } from "./action-bodies";
import { act } from "./declare";

const NAME_MAX = 300;
const name = z.string().min(1).max(NAME_MAX);
const markBody = z.strictObject({ client: name, operation: name, mark: z.enum(CONFLICT_MARKS), reason });

/** Whose fault the conflicts of a client and operation are; its reason is the note beside the mark. */
export function registerConflictMarks(app: Hono<AdminEnv>): void {
  const mark = {
    id: "markConflicts",
    summary: "Say whose fault the conflicts of a client and operation are",
    body: markBody,
    errors: ["conflict.not_found"],
  };
  act(app, "/conflicts/mark", mark, async (c, { reason: note, ...group }) => {
    const result = await markConflicts(c.get("ctx"), originOf(c), { ...group, note });
    return actionAnswer(c, result, { message: messageOf(group.mark, result.answer.affected) });
  });
}

function messageOf(mark: (typeof CONFLICT_MARKS)[number], affected: number): string {
  if (mark === "none") return affected === 0 ? "It had no mark." : "The mark is gone.";
  return "It is marked. A conflict that comes after this shows as new.";
}
