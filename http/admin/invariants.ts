import type { Hono } from "hono";
import { checkInvariantsNow } from "@/engine/invariants/check-now";
import { readInvariants, readInvariantsPage } from "@/engine/read/read-invariants";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { noBody } from "./action-bodies";
import { actionAnswer, bodyOf } from "./actions";

/** What must hold: what the last checks found, their history, and a check now (C.11). */
export function registerAdminInvariants(app: Hono<AdminEnv>): void {
  app.get("/invariants", async (c) => jsonAnswer(c, await readInvariants(c.get("ctx"))));
  app.get("/invariants/runs", async (c) => jsonAnswer(c, await readInvariantsPage(c.get("ctx"))));
  app.post(
    "/invariants/check",
    needsKey(async (c) => {
      const body = await bodyOf(c, noBody, { optional: true });
      const click = { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: body?.reason };
      return actionAnswer(c, await checkInvariantsNow(c.get("ctx"), click));
    }),
  );
}
