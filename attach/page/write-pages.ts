/** `npm run attach-pages` writes a page of each preset below docs/attach/; with `--check` it fails when one is not what its preset says. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { presetPage, presetsPage } from "./preset-page";
import { PRESETS } from "../presets";

const FOLDER = "docs/attach";
/** Written by hand. */
const GUIDES: readonly string[] = ["README.md", "pages-at-a-million-rows.md"];
const check = process.argv.includes("--check");

const pages = new Map<string, string>();
const keep = async (name: string, text: string): Promise<void> =>
  void pages.set(name, await format(text, { parser: "markdown", printWidth: 120 }));
await keep("presets.md", presetsPage(PRESETS));
for (const preset of PRESETS) await keep(`${preset.id}.md`, presetPage(preset));

const stale = [...pages].filter(([name, text]) => {
  const path = join(FOLDER, name);
  return !existsSync(path) || readFileSync(path, "utf8") !== text;
});
const left = readdirSync(FOLDER).filter((name) => name.endsWith(".md") && !GUIDES.includes(name) && !pages.has(name));
if (check) {
  for (const name of [...stale.map(([name]) => name), ...left])
    process.stderr.write(`${join(FOLDER, name)} is not what its preset says: npm run attach-pages.\n`);
  if (stale.length + left.length > 0) process.exit(1);
} else {
  for (const [name, text] of stale) writeFileSync(join(FOLDER, name), text);
  for (const name of left) rmSync(join(FOLDER, name));
}
process.stdout.write(`${String(pages.size)} pages of presets\n`);
