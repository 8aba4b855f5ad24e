import { readFileSync } from "node:fs";

/** docs/ADOPT.md, of which the tests run each block of code as it stands. */
interface Block {
  /** Number of the way in that it belongs to. */
  readonly way: number;
  readonly language: string;
  readonly text: string;
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;
const HEADING = /^## (\d)\. /gm;
/** The first line of a block that is a file names it. */
const FILE = /^(?:\/\/|--|#) ([\w.]+)\n/;
/** What is done once for a run, in tests/adoption/global-setup.ts. */
const INSTALL = /^npm install .*\n/gm;

export function readPage(path = "docs/ADOPT.md"): readonly Block[] {
  const page = readFileSync(path, "utf8");
  const headings = [...page.matchAll(HEADING)];
  return [...page.matchAll(BLOCK)].map(({ index, 1: language = "", 2: text = "" }) => ({
    way: Number(headings.findLast((heading) => heading.index < index)?.[1] ?? 0),
    language,
    text,
  }));
}

/** @returns the text of the one block that is this file @throws Error when the page has none */
export function fileOf(name: string, page = readPage()): string {
  const found = page.filter(({ text }) => FILE.exec(text)?.[1] === name);
  const [block] = found;
  if (block === undefined || found.length > 1) throw new Error(`docs/ADOPT.md has ${String(found.length)} ${name}.`);
  return block.text;
}

/** @returns the commands of a way in, block by block, without the installation @throws Error when it has another number of blocks */
export function shellBlocksOf(way: number, count: number, page = readPage()): readonly string[] {
  const found = page.filter((block) => block.way === way && block.language === "sh");
  if (found.length !== count)
    throw new Error(`Way ${String(way)} of docs/ADOPT.md has ${String(found.length)} blocks of commands.`);
  return found.map(({ text }) => text.replace(INSTALL, ""));
}

/** @returns packages that the page installs, without the tarball */
export function packagesOf(page = readPage()): readonly string[] {
  const lines = page.flatMap(({ text }) => text.match(INSTALL) ?? []);
  return [...new Set(lines.flatMap((line) => line.trim().split(" ").slice(3)))];
}
