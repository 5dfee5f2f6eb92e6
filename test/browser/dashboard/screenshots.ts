import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { isNightly } from '../../support/nightly.js';
import { twoFrames } from './in-page.mjs';
import { layoutProblems } from './layout.js';

/** Screenshots are written only if this names a folder for them. */
const folder = process.env.SCREENSHOTS;
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const everyLook = (['light', 'dark'] as const).flatMap((theme) => sizes.map((size) => ({ theme, ...size })));
/** Nightly runs look at each theme in each window size, other runs at each size once. */
const looks =
  isNightly || folder
    ? everyLook
    : everyLook.filter(({ theme, width }) => (theme === 'dark') === (width === 1024));

export type Look = (typeof everyLook)[number];

/**
 * Waits until the network is idle. A frame without an origin, such as the preview of paywalls, lives in another process,
 * and Playwright does not always report such a frame as idle. A page with a frame is loaded when no placeholder is left.
 */
async function networkIdle(page: Page): Promise<void> {
  if (page.frames().length === 1) {
    const idle = page.waitForLoadState('networkidle');
    const framed = page.waitForEvent('frameattached', { timeout: 0 });
    // The one that comes second is not awaited any more.
    for (const wait of [idle, framed]) wait.catch(() => undefined);
    await Promise.race([idle, framed]);
  }
  if (page.frames().length > 1) await page.waitForSelector('[data-skeleton]', { state: 'detached' });
}

/** Waits until nothing loads and two frames were drawn. */
export async function settled(page: Page): Promise<void> {
  await networkIdle(page);
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' });
  await page.evaluate(twoFrames);
}

/** Calls `visit` in light and dark, in windows of each size; then the page looks as before. */
export async function inEveryLook(page: Page, visit: (look: Look) => Promise<void>): Promise<void> {
  const before = page.viewportSize();
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.theme });
    await page.setViewportSize({ width: look.width, height: look.height });
    await settled(page);
    await visit(look);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/** Writes `<name>-<theme>-<width>.png` if screenshots are asked for. */
export async function takeScreenshot(page: Page, name: string, { theme, width }: Look): Promise<void> {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}-${theme}-${width}.png`);
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}

/**
 * Checks the layout of the page in each look.
 * @throws with what is wrong
 */
export async function shoot(page: Page, name: string): Promise<void> {
  const problems: string[] = [];
  await inEveryLook(page, async (look) => {
    await takeScreenshot(page, name, look);
    problems.push(...(await layoutProblems(page)).map((text) => `${look.theme}, ${look.width} px: ${text}`));
  });
  expect(problems).toEqual([]);
}
