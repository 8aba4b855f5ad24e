import { checkAttachment } from "@/attach/check/check-attachment";
import { openForeign } from "@/attach/connection";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import type { Environment } from "@/domain/config";
import { DEFAULT_URL_VARIABLE } from "../attach/open-attached";
import { messageOf, note, ok, wrong, type Diagnosis } from "./diagnosis";

const SAYS = { ok, note, wrong } as const;

/** The attachment whose address is set, as `onceboard attach check` sees it; nothing without one. */
export async function examineAttachment(env: Environment): Promise<readonly Diagnosis[]> {
  const url = env[DEFAULT_URL_VARIABLE];
  if (url === undefined || url === "") return [];
  try {
    const foreign = await openForeign(url);
    try {
      const findings = await checkAttachment(foreign, ATTACH_SCHEMA, PRESETS);
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
