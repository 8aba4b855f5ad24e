import { randomBytes } from "node:crypto";
import { runAsOwner } from "./database";
import type { Measured } from "./load";

/** As many as a process of ours that answers requests has (http/container.ts). */
export const ONCE_CONNECTIONS = 32;

/** What a service needs beside the functions of its role: the table of its own rows. */
export function grantToServices(url: string): Promise<void> {
  return runAsOwner(url, [
    "grant usage on schema payments to onceboard_service",
    "grant select, insert on payments.accounts to onceboard_service",
  ]);
}

/** Keeps so many callers of `once()` busy in the process of the service (once-service.ts). */
export async function measureOnce(port: number, callers: number, durationMs: number): Promise<Measured> {
  const run = randomBytes(4).toString("hex");
  const asked = new URLSearchParams({ run, callers: String(callers), ms: String(durationMs) });
  const answer = await fetch(`http://127.0.0.1:${String(port)}/?${asked.toString()}`);
  if (!answer.ok) throw new Error(`once() could not be measured: ${await answer.text()}`);
  return (await answer.json()) as Measured;
}
