import type { Page, Request } from 'playwright-core';
import { arrangeKnownObjects, type KnownObjects } from '../../support/known-objects.js';
import { describeInBrowser } from '../chromium.js';
import { arrangeOrganization } from './arrange-organization.js';
import { plantRefundRequest } from './plant-refund-request.js';
import { useDashboard } from './dashboard.js';
import { hideTab, layoutShift, noteLayoutShifts, skeletonsDrawn, twoFrames } from './in-page.mjs';
import { addressOf, type DashboardRoute, dashboardRoutes } from './routes.js';
import { settled } from './screenshots.js';

/** Whether production has data and, if it has none, the sandbox. */
const WHERE_DATA_IS = 2;
const MOST_CALLS = 7;
/** A history for each of its six figures, and the names of apps and products. */
const MOST_OF_OVERVIEW = 11;
const MOST_SHIFT = 0.01;

describeInBrowser('opening a page of the dashboard', () => {
  const dashboard = useDashboard({ env: { SERVICE_EE_DEV: 'true' } });
  let known: KnownObjects;

  beforeAll(async () => {
    known = {
      ...(await arrangeKnownObjects(dashboard.store, dashboard.server.clock.nowMs())),
      ...(await arrangeOrganization(dashboard)),
      refund_request_id: await plantRefundRequest(dashboard, dashboard.store.appId),
    };
  });

  /** Answers of the project's API come after the skeletons. */
  async function openSlowly(page: Page, route: DashboardRoute): Promise<string[]> {
    const calls: string[] = [];
    await page.route(/\/v2\//, async (call) => {
      calls.push(new URL(call.request().url()).pathname);
      await page.evaluate(skeletonsDrawn);
      await call.continue();
    });
    await page.goto(dashboard.url + addressOf(route, known));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    await page.unrouteAll({ behavior: 'wait' });
    return calls;
  }

  it('takes few calls, and moves nothing that is drawn already', async () => {
    const waiting = dashboardRoutes.filter(({ needsSession }) => needsSession);
    const findings: string[] = [];
    const walk = async (): Promise<void> => {
      const page = await dashboard.newPage();
      await page.addInitScript(noteLayoutShifts);
      for (let route = waiting.shift(); route; route = waiting.shift()) {
        const calls = await openSlowly(page, route);
        // `/no-access` leads there, too.
        const isOverview = page.url().includes('/overview');
        const most = WHERE_DATA_IS + (isOverview ? MOST_OF_OVERVIEW : MOST_CALLS);
        if (calls.length > most) findings.push(`${route.path}: ${calls.length} calls: ${calls.join(' ')}`);
        // Chromium would leave something hidden: libs/dashboard/src/ui/ui.css.
        if ((await page.locator('.ui-in-turn .ui-in-turn').count()) > 0)
          findings.push(`${route.path}: parts in turn within parts in turn`);
        const { score, moved } = await page.evaluate(layoutShift);
        if (score > MOST_SHIFT)
          findings.push(`${route.path}: shift ${score.toFixed(3)}: ${moved.join('; ')}`);
      }
    };
    await Promise.all([walk(), walk()]);
    expect(findings).toEqual([]);
  });

  it('makes at most four calls a minute afterwards, and none in a hidden tab', async () => {
    const page = await dashboard.newPage();
    await page.clock.install();
    await page.goto(dashboard.url + dashboard.path('catalog/products'));
    await page.getByRole('table').waitFor();
    await settled(page);
    const calls: string[] = [];
    const open = new Set<Request>();
    page.on('request', (request) => {
      calls.push(request.url());
      open.add(request);
    });
    page.on('requestfinished', (request) => open.delete(request));
    page.on('requestfailed', (request) => open.delete(request));
    /** In steps, as a query that waits for its answer skips its next turn. */
    const runFor = async (steps: number): Promise<void> => {
      for (let step = 0; step < steps; step++) {
        await page.clock.runFor('00:10');
        // The answer to one call can lead to another.
        do {
          await Promise.all([...open].map((request) => request.response()));
          await page.evaluate(twoFrames);
        } while (open.size > 0);
      }
    };
    // Some of the first calls wait for an idle time, which comes from the clock.
    await runFor(1);
    calls.length = 0;
    await runFor(6);
    expect(calls.length).toBeLessThanOrEqual(4);
    await page.evaluate(hideTab);
    calls.length = 0;
    await runFor(60);
    expect(calls).toEqual([]);
  });
});
