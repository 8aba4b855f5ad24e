import type { Hono } from "hono";
import { readChecklist } from "@/console/read/deployment/read-checklist";
import type { AdminEnv, ApiEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import { deploymentFacts } from "./deployment-facts";
import { ownersOf } from "./policies";

/** The review checklist, checked now. @param whole the app that it is about */
export function registerAdminChecklist(app: Hono<AdminEnv>, whole: Pick<Hono<ApiEnv>, "routes" | "request">): void {
  app.get("/checklist", async (c) => {
    const deps = c.get("deps");
    const deployment = await deploymentFacts(whole, deps);
    return jsonAnswer(c, await readChecklist(c.get("ctx"), { owners: ownersOf(deps), deployment }));
  });
}
