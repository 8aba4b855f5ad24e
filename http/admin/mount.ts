import { Hono } from "hono";
import type { AdminEnv } from "../env";
import { adminGuard } from "../guard/admin";
import type { Services } from "../services";
import { registerAdminActions } from "./actions";
import { registerAdminPolicies } from "./policies";
import { registerProof } from "./proof";
import { registerAdminReads } from "./reads";

/** What the console and its scripts use, behind one guard. */
export function createAdmin(services: Services): Hono<AdminEnv> {
  const admin = new Hono<AdminEnv>();
  admin.use(adminGuard(services));
  registerAdminReads(admin);
  registerProof(admin, services);
  registerAdminActions(admin);
  registerAdminPolicies(admin);
  return admin;
}
