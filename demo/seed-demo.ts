import { createDatabase } from "@/db/client";
import type { Config } from "@/domain/config";
import { createBodyKeyring } from "@/engine/bodies/body-keyring";
import { seedWeek } from "./history/week/week";
import type { DemoOperator, People } from "./people";

/** The tenant that has a past; the other one is new. */
const TENANT = "acme";

/**
 * Gives a tenant without operations the week before now, once for a database.
 * @param share of its traffic, above 0 up to 1
 * @param say told one line at a time
 */
export async function seedDemo(
  config: Pick<Config, "databaseUrl" | "encryptionKeys" | "secret" | "bodyTtlHours">,
  { operators }: Pick<People, "operators">,
  share: number,
  say: (line: string) => void,
): Promise<void> {
  const person = (role: string): DemoOperator => {
    const found = operators.find((operator) => operator.role === role);
    if (found === undefined) throw new Error(`The demo has nobody with the role ${role}.`);
    return found;
  };
  const people = { admin: person("admin"), operator: person("operator"), approver: person("approver") };
  const { databaseUrl: url, encryptionKeys, secret } = config;
  const db = createDatabase({ url, max: 1, applicationName: "onceboard demo" });
  const keyring = createBodyKeyring({ db, encryptionKeys, secret });
  const seeded = await seedWeek({
    ...{ url, tenant: TENANT, people, share, bodies: { keyring, hours: config.bodyTtlHours } },
    say: (line) => {
      say(`history: ${line}`);
    },
  }).finally(() => db.close());
  if (seeded.done) say(`history: a week of ${TENANT} was made in ${seeded.seconds.toFixed(0)} s`);
}
