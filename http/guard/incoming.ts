import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { ApiEnv } from "../env";

/** @returns Node's own request where Node's server hosts us; behind Next there is none, and not even an `env`. */
export function incomingOf<Env extends ApiEnv>(c: Context<Env>): IncomingMessage | undefined {
  return (c.env as Partial<HttpBindings> | undefined)?.incoming;
}
