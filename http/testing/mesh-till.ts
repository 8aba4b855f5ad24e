import { randomUUID } from "node:crypto";
import type { TestHost } from "./host";
import type { CheckedAnswer } from "./contract";

export interface MeshCallOptions {
  /** Of the idempotency extension; without one there is no extension. */
  readonly key?: string;
  readonly ttl?: unknown;
  /** Of the envelope; a fresh one by default. */
  readonly id?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

/** A program that speaks the mesh's envelope. */
export interface MeshTill {
  envelope(fn: string, args: unknown, options?: MeshCallOptions): Record<string, unknown>;
  call(fn: string, args: unknown, options?: MeshCallOptions): Promise<CheckedAnswer>;
  send(envelope: unknown): Promise<CheckedAnswer>;
  raw(body: string, headers?: readonly (readonly [string, string])[]): Promise<CheckedAnswer>;
}

export function meshTill(host: TestHost, apiKey: string): MeshTill {
  const raw: MeshTill["raw"] = (body, headers = []) =>
    host.call({
      method: "POST",
      path: "/api/v1/mesh",
      headers: [["authorization", `Bearer ${apiKey}`], ["content-type", "application/json"], ...headers],
      body,
    });
  const envelope: MeshTill["envelope"] = (fn, args, { key, ttl, id = `req_${randomUUID()}` } = {}) => ({
    protocol: { name: "mesh", version: "0.1.0" },
    id,
    call: { function: fn, version: "1", arguments: args },
    extensions:
      key === undefined
        ? []
        : [{ urn: "urn:mesh:ext:idempotency", options: { key, ...(ttl !== undefined && { ttl }) } }],
  });
  return {
    envelope,
    raw,
    send: (body) => raw(JSON.stringify(body)),
    call: (fn, args, options = {}) => raw(JSON.stringify(envelope(fn, args, options)), options.headers),
  };
}
