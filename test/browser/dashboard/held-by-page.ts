import type { Page } from 'playwright-core';
import { cachedByPage } from './in-page.mjs';

/** Everything of a page in which a secret could be left: its source, the call log, storage and the query cache. */
export async function heldByPage(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Show the API calls of this page' }).click();
  const log = page.getByRole('dialog', { name: 'API calls' });
  const writes = log.getByRole('listitem').filter({ hasText: 'POST' });
  await writes.first().waitFor();
  for (const entry of await writes.all()) await entry.getByRole('button', { name: 'curl' }).click();
  const stored = JSON.stringify(await page.context().storageState());
  const held = [await page.content(), page.url(), stored, await page.evaluate(cachedByPage)];
  await page.keyboard.press('Escape');
  await log.waitFor({ state: 'detached' });
  return held.join('\n');
}
