import type { Page } from 'playwright-core';
import * as inPage from './in-page.mjs';

/**
 * Finds layout problems of the current page: content wider than the window outside of scrollable regions, and
 * overlapping controls.
 */
export function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(inPage.layoutProblems);
}

/** @throws with what is wrong */
export async function expectGoodLayout(page: Page): Promise<void> {
  expect(await layoutProblems(page)).toEqual([]);
}
