import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const SIZES = { wide: 1440, phone: 390, usual: 1280 } as const;
const HEIGHT = 900;

/** Both schemes at both widths: nothing sticks out sideways, and axe finds nothing. What a scheme changes is its colours. */
export async function looksRight(page: Page, name: string): Promise<void> {
  const folder = process.env["ATTACH_SHOTS"];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [SIZES.wide, SIZES.phone]) {
      const what = `${name}-${colorScheme}-${String(width)}`;
      await page.setViewportSize({ width, height: HEIGHT });
      const over = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await expect.poll(over, what).toBeLessThanOrEqual(0);
      // The bar at the top would lie over what is scrolled below it.
      await page.evaluate(() => {
        window.scrollTo(0, 0);
      });
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${what}.png`, fullPage: true });
    }
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    const { violations } = await (
      colorScheme === "light" ? axe.withTags(RULES) : axe.withRules(COLOUR_RULES)
    ).analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      `${name} ${colorScheme}`,
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: SIZES.usual, height: HEIGHT });
}
