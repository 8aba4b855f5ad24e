import type { Context } from "hono";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import { engineContext, type Actor, type EngineContext } from "@/engine/context";
import { traceIdIn } from "@/engine/telemetry/telemetry";
import type { ApiEnv, Container } from "../env";

/** @returns the engine's context of one request. */
export function contextOf<Env extends ApiEnv>(c: Context<Env>, tenantId: string, actor: Actor): EngineContext {
  const deps = c.get("deps") as Container;
  const requestId = c.get("requestId");
  const traceparent = c.get("traceparent");
  const { engine } = deps;
  const log = engine.log.child({ requestId, traceId: traceIdIn(traceparent) });
  return engineContext(engine, { tenantId, actor, requestId, traceparent, log });
}

export function actorOf(client: ApiClient): Actor {
  return { kind: "client", id: client.clientId, name: client.name, scopes: client.scopes, tenantId: client.tenantId };
}
