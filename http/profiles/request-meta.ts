import type { Context } from "hono";
import { traceIdIn } from "@/engine/telemetry/telemetry";
import type { ApiEnv } from "../env";
import type { RequestMeta } from "./profile";

const MINIMAL = /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?minimal"?[ \t]*(?:[;,]|$)/i;

/** @returns what the rendering of this request's answer depends on. */
export function requestMetaOf<Env extends ApiEnv>(c: Context<Env>): RequestMeta {
  const prefer = c.req.header("prefer");
  return {
    requestId: c.get("requestId"),
    traceId: traceIdIn(c.get("traceparent")),
    keyEcho: c.get("keyEcho"),
    minimal: prefer !== undefined && MINIMAL.test(prefer),
  };
}
