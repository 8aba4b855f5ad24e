/** Writes diagrams and table of docs/STATE-MACHINE.md anew from the code: `npx tsx scripts/state-diagram.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { behaviourTable } from "@/domain/idempotency/behaviours";
import { stageDiagram, stateDiagram } from "@/domain/idempotency/transitions";

const path = "docs/STATE-MACHINE.md";
const diagrams = [stateDiagram(), stageDiagram()];
const text = readFileSync(path, "utf8")
  .replaceAll(/```mermaid\n[\s\S]*?```/g, () => `\`\`\`mermaid\n${diagrams.shift() ?? ""}\n\`\`\``)
  .replace(
    /<!-- behaviours -->[\s\S]*?<!-- \/behaviours -->/,
    () => `<!-- behaviours -->\n\n${behaviourTable()}\n\n<!-- /behaviours -->`,
  );
writeFileSync(path, text);
