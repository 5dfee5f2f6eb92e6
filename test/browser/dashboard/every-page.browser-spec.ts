import type { Page } from 'playwright-core';
import type { SignedUp } from '../../support/arrange.js';
import { addOrganizationMember } from '../../support/arrange-enterprise.js';
import { arrangeKnownObjects, type KnownObjects } from '../../support/known-objects.js';
import { isNightly } from '../../support/nightly.js';
import { describeInBrowser } from '../chromium.js';
import { axeFindings } from './accessibility.js';
import { arrangeOrganization } from './arrange-organization.js';
import { useDashboard } from './dashboard.js';
import { arrangeDialogs, dialogProblems } from './dialogs.js';
import { controlsWithoutPermission } from './in-page.mjs';
import { asTranslated } from './in-page.mjs';
import { layoutProblems } from './layout.js';
import { plantRefundRequest } from './plant-refund-request.js';
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

/** Controls that are off for want of a permission, by page: what only admins may do. */
const offForDevelopers = new Map([
  ['/projects/$projectId/settings/general', [/^Delete project$/]],
  ['/projects/$projectId/integrations/sql-access', [/^Create SQL user$/]],
  ['/projects/$projectId/settings/keys', [/^New secret key$/, /^Revoke /]],
  [
    '/projects/$projectId/settings/members',
    [/^Invite people$/, /^Resend the invitation of /, /^Revoke the invitation of /],
  ],
]);

describeInBrowser('every page of the dashboard', () => {
  const dashboard = useDashboard({ env: { SERVICE_EE_DEV: 'true' } });
  let known: KnownObjects;
  let viewer: SignedUp;
  let developer: SignedUp;

  beforeAll(async () => {
    known = {
      ...(await arrangeKnownObjects(dashboard.store, dashboard.server.clock.nowMs())),
      ...(await arrangeOrganization(dashboard)),
      refund_request_id: await plantRefundRequest(dashboard, dashboard.store.appId),
    };
    viewer = await dashboard.member('viewer');
    developer = await dashboard.member('developer');
    const organization = { id: known['org_id'] ?? '' };
    await addOrganizationMember(dashboard.server, organization, 'member', { person: viewer });
    await addOrganizationMember(dashboard.server, organization, 'member', { person: developer });
  });

  /** Visits two routes at a time: one page is drawn while the other one waits. Gives what `visit` finds. */
  async function visitAll<Route extends Pick<DashboardRoute, 'path'>>(
    routes: Route[],
    person: SignedUp | null,
    visit: (page: Page, route: Route) => Promise<string[]>,
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

  async function open(page: Page, route: Pick<DashboardRoute, 'path'>, objects = known): Promise<void> {
    await page.goto(dashboard.url + addressOf(route, objects));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
  }

  /** Gives the calls that were refused, and those that write. */
  async function openAsReader(page: Page, route: DashboardRoute): Promise<string[]> {
    const found: string[] = [];
    page.removeAllListeners('response');
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const method = response.request().method();
      const isRead = ['GET', 'HEAD'].includes(method);
      if (!isRead || response.status() >= 400) found.push(`${method} ${pathname}: ${response.status()}`);
    });
    await open(page, route);
    return found;
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

  /** Checks the open page with texts that are 40% longer, in a narrow window from left to right and in a wide one back. */
  async function inspectTranslated(page: Page): Promise<string[]> {
    const found: string[] = [];
    const looks = [
      { direction: 'ltr', width: 360, isNormal: true },
      { direction: 'rtl', width: 360, isNormal: false },
      { direction: 'rtl', width: 1280, isNormal: true },
    ] as const;
    for (const { direction, width } of looks.filter(({ isNormal }) => isNormal || isNightly)) {
      await page.evaluate(asTranslated, direction);
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      found.push(...(await layoutProblems(page)).map((text) => `${direction}, ${width} px: ${text}`));
    }
    return found;
  }

  it.each(signedIn)(
    '%s: accessible and well laid out, light and dark, wide and narrow, with room for texts 40% longer',
    async (_, routes) => {
      const findings = await visitAll(routes, dashboard.owner, async (page, route) => {
        const found = await inspect(page, route);
        return [...found, ...(await inspectTranslated(page))];
      });
      expect(findings).toEqual([]);
    },
  );

  it.each(signedIn)(
    '%s: requests nothing that a viewer may not have, and writes nothing unasked',
    async (_, routes) => {
      expect(await visitAll(routes, viewer, openAsReader)).toEqual([]);
    },
  );

  it.each(signedIn)(
    '%s: keeps from a developer what only admins may do, and nothing else',
    async (_, routes) => {
      const found = await visitAll(routes, developer, async (page, route) => {
        const refused = await openAsReader(page, route);
        const names = await page.evaluate(controlsWithoutPermission);
        const expected = offForDevelopers.get(route.path) ?? [];
        return [
          ...refused,
          ...names
            .filter((name) => !expected.some((pattern) => pattern.test(name)))
            .map((name) => `off: ${name}`),
          ...expected
            .filter((pattern) => !names.some((name) => pattern.test(name)))
            .map((pattern) => `offered, or absent: ${String(pattern)}`),
        ];
      });
      expect(found).toEqual([]);
    },
  );

  it('opens dialogs that are accessible, take the focus, and give it back when Escape closes them', async () => {
    const nowMs = dashboard.server.clock.nowMs();
    const dialogs = await arrangeDialogs(dashboard.store, known, viewer, nowMs);
    const findings = await visitAll(dialogs.pages, dashboard.owner, async (page, { path, openers }) => {
      const found: string[] = [];
      await open(page, { path }, dialogs.known);
      for (const opener of openers) {
        try {
          found.push(...(await dialogProblems(page, opener)).map((text) => `${opener}: ${text}`));
        } catch (error) {
          return [...found, `${opener}: ${String(error)}`];
        }
      }
      return found;
    });
    expect(findings).toEqual([]);
  });

  it('keeps from a developer the role and the membership of an admin', async () => {
    const page = await dashboard.open(dashboard.path('settings/members'), developer);
    const row = page.getByRole('row').filter({ hasText: dashboard.owner.email });
    await row.getByRole('button', { name: /^Actions for / }).click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    for (const item of await items.all()) expect(await item.getAttribute('aria-disabled')).toBe('true');
  });
});
