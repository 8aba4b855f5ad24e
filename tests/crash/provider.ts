import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProviderRow } from "./oracles/recorder";
import { startSandbox } from "@/payments/sandbox/server";

/** The sandbox provider of one session, and its own word on what it did. */
export interface CrashProvider {
  readonly port: number;
  /** Replaces all faults; none clears them. */
  faults(rates: Readonly<Record<string, number>>): Promise<void>;
  /** @returns the accepted effects of one tenant */
  ledger(tenant: string): Promise<ProviderRow[]>;
  /** Gives what is still processing its final word. */
  settleAll(tenant: string): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly id: string;
  readonly providerKey: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
}

function providerRow(entry: Entry): ProviderRow {
  return {
    providerKey: entry.providerKey,
    kind: entry.kind,
    status: entry.status,
    amountMinor: BigInt(entry.amount),
    currency: entry.currency,
    operationId: entry.metadata["operationId"],
    reference: entry.id,
  };
}

/** @returns what a sandbox that is a process of its own did for one tenant */
export async function ledgerOf(origin: string, tenant: string): Promise<ProviderRow[]> {
  const { entries } = (await (await fetch(`${origin}/_control/ledger`)).json()) as {
    readonly entries: readonly Entry[];
  };
  return entries.filter((entry) => entry.metadata["tenant"] === tenant).map(providerRow);
}

export async function startProvider(): Promise<CrashProvider> {
  const dataDir = await mkdtemp(join(tmpdir(), "onceboard-crash-"));
  const sandbox = await startSandbox({ port: 0, dataDir });
  const control = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/_control/${path}`, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${await response.text()}`);
    return response.json();
  };
  const entries = async (tenant: string, status?: string): Promise<Entry[]> => {
    const query = status === undefined ? "" : `?status=${status}`;
    const all = (await control(`ledger${query}`)) as { entries: Entry[] };
    return all.entries.filter((entry) => entry.metadata["tenant"] === tenant);
  };
  return {
    port: sandbox.port,
    async faults(rates) {
      await control("faults", {});
      if (Object.keys(rates).length > 0) await control("faults", rates);
    },
    async ledger(tenant) {
      return (await entries(tenant)).map(providerRow);
    },
    async settleAll(tenant) {
      for (const { providerKey } of await entries(tenant, "processing")) {
        await control("settle", { providerKey, status: "succeeded" });
      }
    },
    async close() {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
