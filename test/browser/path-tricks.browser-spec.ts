import type { Browser } from 'playwright-core';
import { createSecretKey, PASSWORD, sessionCookie } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { contentChanges, databaseContents } from '../support/database-contents.js';
import { arrangeKnownObjects } from '../support/known-objects.js';
import { NEW_CUSTOMER_TABLES, type PathTrick, pathTricksOf } from '../support/path-tricks.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { describeInBrowser, launchChromium } from './chromium.js';

const EMAIL = 'admin@example.com';

describeInBrowser('paths that a browser folds', () => {
  let server: TestServer;
  let store: TestStore;
  let tricks: PathTrick[];
  let browser: Browser;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ROLE: 'api' } });
    store = await createTestStore(server, EMAIL);
    tricks = pathTricksOf(server.document, await arrangeKnownObjects(store, server.clock.nowMs()));
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('changes nothing when sent by an admin who is signed in', async () => {
    const { key } = await createSecretKey(store.session, store.projectId);
    const login = await server.http.post('/auth/login', { email: EMAIL, password: PASSWORD });
    const [name = '', value = ''] = sessionCookie(login).split('=');
    const context = await browser.newContext({ bypassCSP: true });
    await context.addCookies([{ name, value, url: server.baseUrl }]);
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`${server.baseUrl}/healthz`);
    const before = await databaseContents(server.dataSource);
    const statuses = await page.evaluate(
      async ({ requests, authorization, baseUrl }) => {
        const answers: number[] = [];
        for (const { method, path } of requests) {
          const own: Record<string, string> = path.includes('/v2') ? {} : { authorization };
          const answer = await fetch(baseUrl + path, {
            method,
            headers: { 'content-type': 'application/json', ...own },
            ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
          });
          await answer.arrayBuffer();
          answers.push(answer.status);
        }
        return answers;
      },
      { requests: tricks, authorization: `Bearer ${key}`, baseUrl: server.baseUrl },
    );
    const { lost, added } = contentChanges(before, await databaseContents(server.dataSource));
    expect(lost).toEqual({});
    expect(Object.keys(added).filter((table) => !NEW_CUSTOMER_TABLES.has(table))).toEqual([]);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const own = await page.evaluate(async (path) => (await fetch(path)).status, store.path);
    expect(own).toBe(200);
    await context.close();
  });
});
