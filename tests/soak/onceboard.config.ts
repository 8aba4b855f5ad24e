import { defineConfig } from "@/engine/index";
import deployed from "@/onceboard.config";
import { recorderConsumer } from "../crash/child/recorder-consumer";

/** What this repository's deployment runs, and beside it the suite's consumer, which writes a row for each message that it handles. */
export default defineConfig((settings) => {
  const source = typeof deployed === "function" ? deployed(settings) : deployed;
  const witness = { name: "witness", operations: [], consumers: [recorderConsumer()] };
  return { ...source, modules: [...source.modules, witness] };
});
