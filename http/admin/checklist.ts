import type { Hono } from "hono";
import { readChecklist } from "@/engine/read/read-checklist";
import type { AdminEnv, ApiEnv } from "../env";
import { read } from "./declare";
import { deploymentFacts } from "./deployment-facts";
import { ownersOf } from "./policies";

/** The review checklist, checked now. @param whole the app that it is about */
export function registerAdminChecklist(app: Hono<AdminEnv>, whole: Pick<Hono<ApiEnv>, "routes" | "request">): void {
  read(app, "/checklist", { id: "readChecklist", summary: "The review checklist, checked now" }, async (c) => {
    const deps = c.get("deps");
    const deployment = await deploymentFacts(whole, deps);
    return readChecklist(c.get("ctx"), { owners: ownersOf(deps), deployment });
  });
}
