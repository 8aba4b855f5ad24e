import { Hono } from "hono";
import { newId } from "@/domain/new-id";
import { noteReceived } from "@/auth/sign-in/read-body";
import { STRICT_TRANSPORT, wantsStrictTransport } from "@/domain/access/strict-transport";
import type { ApiEnv, Container } from "./env";
import { createAdmin } from "./admin/mount";
import { registerAuth } from "./routes/auth";
import { registerDocs } from "./routes/docs";
import { registerEvents } from "./routes/events";
import { registerHealth } from "./routes/health";
import { registerMetrics } from "./routes/metrics";
import { registerMesh } from "./routes/mesh";
import { registerModules } from "./routes/modules";
import { registerOperations } from "./routes/operations";
import { registerProofKeys } from "./routes/proof-keys";
import { readPathInside, writeAddressesBelow } from "./guard/base-path";
import { nothingHere, requireReadablePath } from "./guard/readable-path";
import { forwardHome } from "./guard/forward-home";
import { inTime } from "./guard/in-time";
import { traceRequest } from "./guard/trace";
import { createMetrics, type Metrics } from "./metrics/metrics";
import { createServices, type Services } from "./services";
import { nameErrors } from "./profiles/names";
import { renderError } from "./profiles/render-error";

/**
 * Everything under `/api`, with no framework in it: cli/ puts it behind Node's server, Next mounts the same app. Routes are written
 * without the base path of the deployment.
 *
 * @param deps of the process; the app keeps rate limits beside them
 * @param metrics that a port of their own shows as well
 */
export function createHttpApp(deps: Container, metrics: Metrics = createMetrics(deps)): Hono<ApiEnv> {
  nameErrors(deps.modules.errors);
  const services: Services = createServices(deps, metrics);
  const { basePath } = deps.config;
  const app = new Hono<ApiEnv>(basePath === "" ? {} : { getPath: readPathInside(basePath) });
  if (basePath !== "") app.use(writeAddressesBelow(basePath));
  app.use(async (c, next) => {
    const receivedAt = performance.now();
    c.set("deps", deps);
    c.set("requestId", newId());
    c.set("receivedAt", receivedAt);
    // Missing where Next hands the request on.
    noteReceived(c.req.raw, (c.env as { readonly incoming?: { readonly complete: boolean } } | undefined)?.incoming);
    await traceRequest(c, next);
    metrics.observe(c, performance.now() - receivedAt);
  });
  app.use((c, next) => {
    requireReadablePath(c);
    return inTime(c, next);
  });
  if (wantsStrictTransport(deps.config.publicUrl)) {
    app.use(async (c, next) => {
      await next();
      c.header(STRICT_TRANSPORT.name, STRICT_TRANSPORT.value);
    });
  }
  app.onError((error, c) => renderError(error, c));
  app.notFound((c) => renderError(nothingHere(), c));
  if (deps.config.regionPeers.size > 0) app.use("/api/v1/*", forwardHome(services));
  registerHealth(app);
  registerMetrics(app, metrics);
  registerDocs(app, deps);
  registerAuth(app);
  registerModules(app, services);
  registerMesh(app, services);
  registerOperations(app, services);
  registerEvents(app, services);
  registerProofKeys(app, deps);
  app.route("/api/v1/admin", createAdmin(services, app));
  return app;
}
