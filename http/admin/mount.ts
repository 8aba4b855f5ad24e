import { Hono } from "hono";
import type { AdminEnv, ApiEnv } from "../env";
import { adminGuard } from "../guard/admin";
import type { Services } from "../services";
import { registerAdminActions, registerAdminDeploys, registerConflictMarks } from "./actions";
import { registerCorrections } from "./corrections/corrections";
import { registerExports } from "./exports/exports";
import { registerAlerts } from "./alerts/alerts";
import { registerAttachedActs } from "./attachments/acts";
import { registerAttachmentReads } from "./attachments/reads";
import { registerAdminClients } from "./clients";
import { registerOwnAccess } from "./own-access";
import { registerPeople } from "./people";
import { registerPlans } from "./plans";
import { registerAdminPolicies } from "./policies";
import { registerAdminChecklist, registerAdminInvariants, registerProof } from "./checks";
import { registerAdminReads } from "./reads";
import { registerAdminEventSources } from "./event-sources";
import { registerAdminWebhooks } from "./webhooks";
import { registerAdminTopics } from "./topics";
import { registerAdminViews } from "./views";

/** What the console and its scripts use, behind one guard. @param whole the app that this becomes a part of */
export function createAdmin(services: Services, whole: Pick<Hono<ApiEnv>, "routes" | "request">): Hono<AdminEnv> {
  const admin = new Hono<AdminEnv>();
  admin.use(adminGuard(services));
  registerAdminReads(admin);
  registerExports(admin);
  registerAdminInvariants(admin);
  registerConflictMarks(admin);
  registerProof(admin, services);
  registerAdminActions(admin);
  registerAdminPolicies(admin);
  registerAdminWebhooks(admin, services);
  registerAlerts(admin);
  registerAttachedActs(admin);
  registerAttachmentReads(admin);
  registerAdminEventSources(admin);
  registerAdminClients(admin);
  registerAdminTopics(admin);
  registerAdminDeploys(admin);
  registerAdminViews(admin);
  registerPlans(admin);
  registerCorrections(admin);
  registerPeople(admin);
  registerOwnAccess(admin);
  registerAdminChecklist(admin, whole);
  return admin;
}
