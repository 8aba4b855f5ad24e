/** Writes the diagrams of docs/STATE-MACHINE.md anew from domain/transitions.ts: `npx tsx scripts/state-diagram.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { stageDiagram, stateDiagram } from "@/domain/transitions";

const path = "docs/STATE-MACHINE.md";
const diagrams = [stateDiagram(), stageDiagram()];
const text = readFileSync(path, "utf8").replaceAll(
  /```mermaid\n[\s\S]*?```/g,
  () => `\`\`\`mermaid\n${diagrams.shift() ?? ""}\n\`\`\``,
);
writeFileSync(path, text);
