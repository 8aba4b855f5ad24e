import { createDatabase } from "@/db/client";
import type { Config } from "@/domain/config";
import { createBodyKeyring } from "@/engine/bodies/body-keyring";
import { openKeyStore, type KeyStoreConfig } from "@/engine/bodies/key-stores/open";
import type { Seeded } from "./history/fill";
import { seedWeek } from "./history/week/week";
import { endpointOf, keepMerchants, newMerchants } from "./merchants";
import type { DemoOperator, People } from "./people";

/** Two tenants with a past: one with incidents, and a smaller one to which nothing happened. The last one is vacuumed with all the rest. */
const TENANTS = [
  { tenant: "globex", share: 0.09, quiet: true },
  { tenant: "acme", share: 1, quiet: false },
] as const;

/** What the demo began with. */
export interface DemoHistory {
  /** Fills the time since it was made, until now, once: nothing else may write yet. */
  readonly catchUp: () => Promise<void>;
}

/**
 * Gives tenants without operations the week before now, once for a database.
 * @param share of its traffic, above 0 up to 1
 * @param say told one line at a time
 */
export async function seedDemo(
  config: Pick<Config, "databaseUrl" | "encryptionKeys" | "secret" | "bodyTtlHours" | "dataDir"> & KeyStoreConfig,
  { operators }: Pick<People, "operators">,
  share: number,
  say: (line: string) => void,
): Promise<DemoHistory> {
  const person = (role: string): DemoOperator => {
    const found = operators.find((operator) => operator.role === role);
    if (found === undefined) throw new Error(`The demo has nobody with the role ${role}.`);
    return found;
  };
  const people = { admin: person("admin"), operator: person("operator"), approver: person("approver") };
  const { databaseUrl: url, encryptionKeys, secret, bodyTtlHours: hours } = config;
  const db = createDatabase({ url, max: 1, applicationName: "onceboard demo" });
  const keyStore = openKeyStore(config);
  const bodies = { keyring: createBodyKeyring({ db, encryptionKeys, secret, keyStore }), hours };
  const close = async (): Promise<void> => {
    await keyStore?.close();
    await db.close();
  };
  const merchants = await newMerchants(config);
  const made: Seeded[] = [];
  const added = new Set(merchants.added);
  try {
    for (const { tenant, quiet, share: part } of TENANTS) {
      const saySo = (line: string): void => {
        if (!quiet) say(`history: ${line}`);
      };
      const endpoint = endpointOf(merchants, tenant);
      const seeded = await seedWeek({ url, tenant, quiet, people, bodies, endpoint, share: share * part, say: saySo });
      if (seeded.done) {
        added.add(tenant);
        keepMerchants(config, merchants, [...added]);
        say(`history: a week of ${tenant} was made in ${seeded.seconds.toFixed(0)} s`);
      }
      made.push(seeded);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async catchUp() {
      try {
        for (const seeded of made) await seeded.lengthen();
      } finally {
        await close();
      }
    },
  };
}
