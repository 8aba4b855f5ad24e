import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** What a colour scheme can change; everything else is the same document, and was looked at in the first scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const CANVAS = { light: "rgb(251, 252, 252)", dark: "rgb(15, 19, 21)" } as const;
const HEIGHT = 900;
export const COLOUR_SCHEMES = ["light", "dark"] as const;
export type ColourScheme = (typeof COLOUR_SCHEMES)[number];

/**
 * The page as it stands at each width, in each scheme: one h1, a title, nothing sticks out sideways, no finding of axe.
 *
 * @param widths px; the last one is looked at by axe, the others for what sticks out
 * @param schemes at least one; axe applies every rule in the first, and those about colours in the others
 * @returns one line per finding
 */
export async function flaws(
  page: Page,
  path: string,
  widths: readonly number[],
  schemes: readonly ColourScheme[] = COLOUR_SCHEMES,
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: schemes[0] ?? "light" });
  await page.goto(path);
  await page.getByRole("main").waitFor();
  await expect(page.getByRole("heading", { level: 1, includeHidden: true }), `${path}: one h1`).toHaveCount(1);
  await expect(page, `${path}: a title`).toHaveTitle(/\S/);
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    // Charts are measured once more after the first paint.
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(over, `${path}: wider than ${String(width)} px, by px`).toBeLessThanOrEqual(0);
  }
  const found: string[] = [];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator("body"), `${path}: ${scheme}`).toHaveCSS("background-color", CANVAS[scheme]);
    // Without a selector for each element that has no flaw, which is most of the work.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
    const rules = scheme === schemes[0] ? axe.withTags(RULES) : axe.withRules(COLOUR_RULES);
    const { violations, passes } = await rules.analyze();
    expect(passes.length, `${path}: axe looked`).toBeGreaterThan(0);
    for (const { id, nodes } of violations)
      found.push(
        `${path} ${scheme}: ${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`).join(" | ")}`,
      );
  }
  return found;
}
