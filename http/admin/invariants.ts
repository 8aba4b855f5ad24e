import type { Hono } from "hono";
import { checkInvariantsNow } from "@/engine/invariants/check-now";
import { readInvariants, readInvariantsPage } from "@/engine/read/read-invariants";
import type { AdminEnv } from "../env";
import { actionAnswer, clickOf } from "./action-answer";
import { noBody } from "./action-bodies";
import { act, read } from "./declare";

/** What must hold: what the last checks found, their history, and a check now. */
export function registerAdminInvariants(app: Hono<AdminEnv>): void {
  read(app, "/invariants", { id: "readInvariants", summary: "What must hold, as it was checked last" }, (c) =>
    readInvariants(c.get("ctx")),
  );
  read(app, "/invariants/runs", { id: "listInvariantRuns", summary: "The last checks, and the runs before" }, (c) =>
    readInvariantsPage(c.get("ctx")),
  );
  const check = { id: "checkInvariants", summary: "Check now what must hold", body: noBody, bodyOptional: true };
  act(app, "/invariants/check", check, async (c, body) =>
    actionAnswer(c, await checkInvariantsNow(c.get("ctx"), clickOf(c, body?.reason))),
  );
}
