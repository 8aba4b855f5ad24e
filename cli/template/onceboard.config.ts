import { defineConfig } from "onceboard";
import { orders } from "./orders";

/** What this deployment runs. Further modules go into the list. */
export default defineConfig({ modules: [orders] });
