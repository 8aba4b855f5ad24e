import { defineConfig } from "@/engine/index";
import { ordersModule } from "./module";

export default defineConfig({ modules: [ordersModule] });
