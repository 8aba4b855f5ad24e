import { defineConfig } from "@/engine/index";
import { paymentsModule } from "@/payments/module";
import { providerOf } from "@/payments/provider/provider-of";

/** What this deployment runs: the example business over the provider that PROVIDER names. */
export default defineConfig((settings) => {
  const provider = providerOf(settings);
  return { provider, modules: [paymentsModule(settings, provider)] };
});
