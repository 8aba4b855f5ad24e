import { checkAttachment } from "@/attach/check/check-attachment";
import { openForeign } from "@/attach/connection";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import { clockOf, MACHINE_CLOCK, type DatabaseClock } from "@/attach/check/check-running";
import { selectEveryAttachment } from "@/db/attachments/attachments";
import { createDatabase, type Queryable } from "@/db/client";
import { hostOfShown, isAllowedHost } from "@/domain/attachments/hosts";
import type { Environment, StartConfig } from "@/domain/config";
import { DEFAULT_URL_VARIABLE } from "../attach/open-attached";
import { messageOf, note, ok, wrong, type Diagnosis } from "./diagnosis";

const SAYS = { ok, note, wrong } as const;

/** Attachments of all tenants that are looked at. */
const MAX_LOOKED_AT = 1_000;

/** Attachments whose host ATTACH_HOSTS does not list: they are not opened. */
export async function examineAttachHosts(
  db: Queryable,
  { attachHosts }: Pick<StartConfig, "attachHosts">,
): Promise<readonly Diagnosis[]> {
  if (attachHosts === undefined) return [];
  const all = await selectEveryAttachment(db, MAX_LOOKED_AT);
  const refused = all.filter(({ shown }) => !isAllowedHost(hostOfShown(shown), attachHosts));
  if (refused.length === 0)
    return all.length === 0 ? [] : [ok("ATTACH_HOSTS lists the host of every attached database")];
  return refused.map(({ tenantId, name, shown }) =>
    wrong(`ATTACH_HOSTS does not list the host of ${name} of tenant ${tenantId} (${shown}): it is not opened`),
  );
}

/** The attachment whose address is set, as `onceboard attach check` sees it; nothing without one. */
export async function examineAttachment(env: Environment): Promise<readonly Diagnosis[]> {
  const url = env[DEFAULT_URL_VARIABLE];
  if (url === undefined || url === "") return [];
  try {
    const foreign = await openForeign(url);
    try {
      const findings = await withClock(env, (clock) => checkAttachment(foreign, ATTACH_SCHEMA, PRESETS, clock));
      return findings.map(({ state, text, mend }) =>
        SAYS[state](`Attachment: ${text}${mend === undefined ? "" : ` Mend: ${mend}`}`),
      );
    } finally {
      await foreign.close();
    }
  } catch (error) {
    return [wrong(`Attachment: ${messageOf(error)}`)];
  }
}

/** That of our own database, where there is one that answers; what does not is said by the doctor itself. */
async function withClock<Found>(env: Environment, use: (clock: DatabaseClock) => Promise<Found>): Promise<Found> {
  const url = env["DATABASE_URL"];
  if (url === undefined || url === "") return use(MACHINE_CLOCK);
  const db = createDatabase({ url, max: 1, applicationName: "onceboard doctor" });
  try {
    const clock = clockOf(db.pool);
    const answers = await clock.now().then(
      () => true,
      () => false,
    );
    return await use(answers ? clock : MACHINE_CLOCK);
  } finally {
    await db.close();
  }
}
