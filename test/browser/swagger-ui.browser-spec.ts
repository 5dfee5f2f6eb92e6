import type { Browser, Page } from 'playwright-core';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { describeInBrowser, launchChromium } from './chromium.js';

describeInBrowser('Swagger UI', () => {
  let server: TestServer;
  let store: TestStore;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchChromium()]);
    store = await createTestStore(server);
    page = await browser.newPage({ viewport: { width: 1200, height: 1400 } });
    page.setDefaultTimeout(0);
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${server.baseUrl}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('begins with how to get a key, and shows the sections collapsed, in order and described', async () => {
    await expect(page.locator('.info').textContent()).resolves.toContain('Your first call');
    const tags = await page.locator('.opblock-tag').evaluateAll((all) => all.map((tag) => tag.textContent));
    expect(tags).toEqual(
      (server.document.tags ?? []).map(({ name, description }) => `${name}${description}`),
    );
    await expect(page.locator('.opblock-tag-section .opblock').count()).resolves.toBe(0);
  });

  it('finds a section by its filter', async () => {
    const filter = page.locator('.operation-filter-input');
    await filter.fill('Test clocks');
    await page.locator('.opblock-tag').nth(1).waitFor({ state: 'detached' });
    await expect(page.locator('.opblock-tag').textContent()).resolves.toContain('Test clocks');
    await filter.fill('');
  });

  it('keeps a key over a reload and sends it with an operation', async () => {
    const { key } = (await store.session.post(`${store.path}/api_keys`, { name: 'Explorer' })).body;
    await page.locator('button.authorize').first().click();
    const field = page.locator('.auth-container', { hasText: 'secret_key' }).locator('input');
    await field.fill(key);
    await page.locator('.auth-container', { hasText: 'secret_key' }).locator('button.authorize').click();
    await page.reload();
    await page.locator('.opblock-tag', { hasText: 'Projects' }).first().click();
    await page.locator('.opblock', { hasText: 'List projects' }).click();
    const [answer] = await Promise.all([
      page.waitForResponse(`${server.baseUrl}/v2/projects`),
      page.locator('button.execute').click(),
    ]);
    expect(answer.status()).toBe(200);
    expect(answer.request().headers().authorization).toBe(`Bearer ${key}`);
  });

  it('does all this without an error in the console', () => {
    expect(errors).toEqual([]);
  });
});
