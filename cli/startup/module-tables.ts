import type { ModuleTables } from "@/db/modules/module-tables";
import type { Config } from "@/domain/config";
import { loadConfig } from "./load-config";

/** The tables that the modules of this deployment bring. @throws Error in one sentence when there is no configuration */
export async function moduleTables(settings: Config): Promise<readonly ModuleTables[]> {
  const source = await loadConfig();
  const { modules, provider } = typeof source === "function" ? source(settings) : source;
  try {
    return modules.map(({ name, migrations, evidence }) => ({ name, migrations, evidence }));
  } finally {
    for (const module of modules) await module.close?.();
    await provider?.close?.();
  }
}
