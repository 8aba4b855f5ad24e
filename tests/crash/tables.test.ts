import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { crashTables } from "./tables";

/** Cells without the padding that the formatter gives them. */
const plain = (text: string): string => text.replaceAll(/ *\| */g, "|").replaceAll(/-+/g, "-");

describe("CRASH-1 docs/CRASH.md", () => {
  const document = plain(readFileSync("docs/CRASH.md", "utf8"));
  it.each(Object.entries(crashTables()))(
    "has the table of %s as the code has it (npx tsx scripts/crash-tables.ts)",
    (heading, table) => {
      expect(document).toContain(`## ${heading}\n`);
      expect(document).toContain(plain(table));
    },
  );
});
