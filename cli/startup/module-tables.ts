import type { ModuleTables } from "@/db/modules/module-tables";
import type { Config } from "@/domain/config";
import { loadModules } from "@/engine/module/load";
import { loadConfig } from "./load-config";

/** The tables that the modules of this deployment bring. @throws Error in one sentence when there is no configuration, or a wrong one */
export async function moduleTables(settings: Config): Promise<readonly ModuleTables[]> {
  const modules = loadModules(await loadConfig(), settings);
  await modules.close();
  return modules.list.map(({ name, migrations, evidence }) => ({ name, migrations, evidence }));
}
