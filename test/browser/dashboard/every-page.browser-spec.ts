import type { Page } from 'playwright-core';
import type { SignedUp } from '../../support/arrange.js';
import { arrangeKnownObjects, type KnownObjects } from '../../support/known-objects.js';
import { axeFindings } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { layoutProblems } from './layout.js';
import { type DashboardRoute, addressOf, dashboardRoutes } from './routes.js';
import { inEveryLook, settled, takeScreenshot } from './screenshots.js';

const nameOf = ({ page }: DashboardRoute): string => page.replace(/^.*\//, '').replace(/-page$/, '');
/** Each browser profile loads the dashboard once for so many pages. */
const PER_PROFILE = 10;

/** The routes in portions, with their names. */
function portions(routes: DashboardRoute[]): [string, DashboardRoute[]][] {
  const count = Math.ceil(routes.length / PER_PROFILE);
  return Array.from({ length: count }, (_, index) => {
    const portion = routes.slice(index * PER_PROFILE, (index + 1) * PER_PROFILE);
    return [portion.map(nameOf).join(', '), portion];
  });
}

const signedIn = portions(dashboardRoutes.filter(({ needsSession }) => needsSession));
const signedOut = portions(dashboardRoutes.filter(({ needsSession }) => !needsSession));

describe('every page of the dashboard', () => {
  const dashboard = useDashboard();
  let known: KnownObjects;
  let viewer: SignedUp;

  beforeAll(async () => {
    known = await arrangeKnownObjects(dashboard.store, dashboard.server.clock.nowMs());
    viewer = await dashboard.member('viewer');
  });

  /** Visits two routes at a time: one page is drawn while the other one waits. Gives what `visit` finds. */
  async function visitAll(
    routes: DashboardRoute[],
    person: SignedUp | null,
    visit: (page: Page, route: DashboardRoute) => Promise<string[]>,
  ): Promise<string[]> {
    const waiting = [...routes];
    const findings: string[] = [];
    const walk = async (): Promise<void> => {
      const page = await dashboard.newPage(person);
      for (let route = waiting.shift(); route; route = waiting.shift()) {
        const { path } = route;
        findings.push(...(await visit(page, route)).map((text) => `${path}: ${text}`));
      }
    };
    await Promise.all(routes.slice(0, 2).map(walk));
    return findings;
  }

  async function open(page: Page, route: DashboardRoute): Promise<void> {
    await page.goto(dashboard.url + addressOf(route, known));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
  }

  async function inspect(page: Page, route: DashboardRoute): Promise<string[]> {
    const findings: string[] = [];
    await open(page, route);
    await inEveryLook(page, async (look) => {
      await takeScreenshot(page, nameOf(route), look);
      const found = [...(await axeFindings(page)), ...(await layoutProblems(page))];
      findings.push(...found.map((text) => `${look.theme}, ${look.width} px: ${text}`));
    });
    return findings;
  }

  it.each(signedOut)(
    '%s, signed out: accessible and well laid out, light and dark, wide and narrow',
    async (_, routes) => {
      expect(await visitAll(routes, null, inspect)).toEqual([]);
    },
  );

  it.each(signedIn)(
    '%s: accessible and well laid out, light and dark, wide and narrow',
    async (_, routes) => {
      expect(await visitAll(routes, dashboard.owner, inspect)).toEqual([]);
    },
  );

  it.each(signedIn)(
    '%s: asks for nothing that a viewer may not have, and writes nothing by itself',
    async (_, routes) => {
      const refused = await visitAll(routes, viewer, async (page, route) => {
        const found: string[] = [];
        page.removeAllListeners('response');
        page.on('response', (response) => {
          const { pathname } = new URL(response.url());
          const isRead = ['GET', 'HEAD'].includes(response.request().method());
          if (!isRead || response.status() >= 400)
            found.push(`${response.request().method()} ${pathname}: ${response.status()}`);
        });
        await open(page, route);
        return found;
      });
      expect(refused).toEqual([]);
    },
  );
});
