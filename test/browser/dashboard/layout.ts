import type { Page } from 'playwright-core';
import * as inPage from './in-page.mjs';

/**
 * What is wrong with the layout of the page as it is now: content wider than the window outside of regions that scroll by
 * themselves, and controls that lie over each other.
 */
export function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(inPage.layoutProblems);
}

/** @throws with what is wrong */
export async function expectGoodLayout(page: Page): Promise<void> {
  expect(await layoutProblems(page)).toEqual([]);
}
