import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { typefaceOfCell } from './in-page.mjs';
import { settled, shoot } from './screenshots.js';

describeInBrowser('the frame of the dashboard', () => {
  const dashboard = useDashboard();

  it('draws text with the typeface that the server ships, and figures of one width', async () => {
    const page = await dashboard.newPage();
    const sizes: number[] = [];
    page.on('response', async (answer) => {
      if (answer.url().endsWith('.woff2')) sizes.push((await answer.body()).byteLength);
    });
    await page.goto(dashboard.url + dashboard.path('catalog/products'));
    await page.getByRole('table').waitFor();
    await settled(page);
    expect(sizes).toHaveLength(1);
    expect(sizes[0]).toBeLessThan(60 * 1024);
    const drawn = await page.evaluate(typefaceOfCell);
    expect(drawn.families.some((family) => family.includes('Inter'))).toBe(true);
    expect(drawn.ones).toBe(drawn.zeros);
  });

  it('serves the license of the typeface', async () => {
    const license = await fetch(`${dashboard.url}/assets/inter-license.txt`);
    expect(license.status).toBe(200);
    expect(await license.text()).toContain('SIL OPEN FONT LICENSE');
  });

  it('has a navigation of nine entries, which shows the pages of the current one', async () => {
    const page = await dashboard.open(dashboard.path('catalog/products'), dashboard.owner, {
      width: 1440,
      height: 900,
    });
    const navigation = page.getByRole('navigation', { name: 'Project' });
    await page.getByRole('table').waitFor();
    const groups = await navigation.locator(':scope > ul > li > a').allInnerTexts();
    expect(groups).toEqual([
      'Overview',
      'Charts',
      'Customers',
      'Activity',
      'Catalog',
      'Targeting',
      'Connect',
      'Test tools',
      'Settings',
    ]);
    const catalog = ['Products', 'Entitlements', 'Offerings', 'Paywalls', 'Colors and fonts', 'Currencies'];
    expect(await navigation.locator('li li a').allInnerTexts()).toEqual(catalog);
    expect(await navigation.locator('li li [aria-current=page]').innerText()).toBe('Products');
    for (const group of groups) {
      await navigation.getByRole('link', { name: group, exact: true }).first().click();
      const isWhole = await navigation.evaluate((element) => element.scrollHeight <= element.clientHeight);
      expect([group, isWhole]).toEqual([group, true]);
      const pages = await navigation.locator('li li a').allInnerTexts();
      expect(pages).not.toContain(group);
      expect(pages).not.toHaveLength(1);
    }
    await navigation.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'navigation');
  });

  it('marks the list of customers on the page of a customer', async () => {
    await dashboard.owner.session.post(`/v2/projects/${dashboard.projectId}/customers`, { id: 'ada' });
    const page = await dashboard.open(dashboard.path('customer?id=ada'));
    await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Project' });
    expect(await navigation.locator('li li [aria-current=page]').innerText()).toBe('All customers');
  });

  it('leads from the page of an object back to its list', async () => {
    const { session, projectId } = dashboard.owner;
    const products = await session.get(`/v2/projects/${projectId}/products`);
    const { id, app_id: appId } = products.body.items[0];
    for (const [path, list, title] of [
      [`catalog/products/${id}`, 'Products', 'Products'],
      [`apps/${appId}`, 'Apps', 'Apps'],
      ['customer?id=ada', 'All customers', 'Customers'],
    ] as const) {
      const page = await dashboard.open(dashboard.path(path));
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: list }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).count()).toBe(0);
    }
  });
});
