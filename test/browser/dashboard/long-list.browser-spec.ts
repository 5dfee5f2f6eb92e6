import { useDashboard } from './dashboard.js';

const ROWS = 10_000;

describe('a list of 10,000 rows', () => {
  const dashboard = useDashboard();

  it('keeps at most 60 of them in the page, and leads to any of them', async () => {
    const made = await dashboard.owner.session.post(`${dashboard.store.path}/customers`, { id: 'ada' });
    expect(made.status).toBe(201);
    const page = await dashboard.newPage();
    // A page of the API has fewer rows; what is drawn is the same.
    await page.route(/\/v2\/projects\/[^/]+\/customers\?/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { items: object[] };
      const items = Array.from({ length: ROWS }, (_, index) => ({ ...body.items[0], id: `user-${index}` }));
      await route.fulfill({ response: answer, json: { ...body, items, next_page: null } });
    });
    await page.goto(dashboard.url + dashboard.path('customers'));
    const link = (index: number) => page.getByRole('link', { name: `user-${index}`, exact: true });
    const drawn = () => page.getByRole('row').count();
    await link(0).waitFor();
    // The rows in view take the place of the first ones when their code is there.
    await link(199).waitFor({ state: 'detached' });
    expect(await drawn()).toBeLessThanOrEqual(60);

    await link(0).focus();
    await page.keyboard.press('End');
    await link(ROWS - 1).waitFor();
    expect(await drawn()).toBeLessThanOrEqual(60);
    await page.keyboard.press('k');
    await page
      .locator(':focus')
      .getByText(`user-${ROWS - 2}`)
      .waitFor();
    await page.keyboard.press('Home');
    await link(0).waitFor();
    expect(await drawn()).toBeLessThanOrEqual(60);
  });
});
