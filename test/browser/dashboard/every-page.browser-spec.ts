import type { Page } from 'playwright-core';
import type { SignedUp } from '../../support/arrange.js';
import { arrangeKnownObjects, type KnownObjects } from '../../support/known-objects.js';
import { axeFindings } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { layoutProblems } from './layout.js';
import { type DashboardRoute, addressOf, dashboardRoutes } from './routes.js';
import { inEveryLook, settled, takeScreenshot } from './screenshots.js';

const nameOf = ({ page }: DashboardRoute): string => page.replace(/^.*\//, '').replace(/-page$/, '');

describe('every page of the dashboard', () => {
  const dashboard = useDashboard();
  let known: KnownObjects;
  let viewer: SignedUp;

  beforeAll(async () => {
    known = await arrangeKnownObjects(dashboard.store, dashboard.server.clock.nowMs());
    viewer = await dashboard.member('viewer');
  });

  async function opened(route: DashboardRoute, person: SignedUp): Promise<Page> {
    const page = await dashboard.newPage(route.needsSession ? person : null);
    await page.goto(dashboard.url + addressOf(route, known));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    return page;
  }

  it.each(dashboardRoutes.map((route) => [route.path, route] as const))(
    '%s is accessible and well laid out, light and dark, wide and narrow',
    async (_, route) => {
      const page = await opened(route, dashboard.owner);
      const findings: string[] = [];
      await inEveryLook(page, async (look) => {
        await takeScreenshot(page, nameOf(route), look);
        const found = [...(await axeFindings(page)), ...(await layoutProblems(page))];
        findings.push(...found.map((text) => `${look.theme}, ${look.width} px: ${text}`));
      });
      expect(findings).toEqual([]);
    },
  );

  it.each(
    dashboardRoutes.filter(({ needsSession }) => needsSession).map((route) => [route.path, route] as const),
  )('%s asks for nothing that a viewer may not have, and writes nothing by itself', async (_, route) => {
    const page = await dashboard.newPage(viewer);
    const refused: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isRead = ['GET', 'HEAD'].includes(response.request().method());
      if (!isRead || response.status() >= 400)
        refused.push(`${response.request().method()} ${pathname}: ${response.status()}`);
    });
    await page.goto(dashboard.url + addressOf(route, known));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    expect(refused).toEqual([]);
  });
});
