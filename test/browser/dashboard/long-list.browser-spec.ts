import { readFile } from 'node:fs/promises';
import { describeInBrowser } from '../chromium.js';
import { useDashboard } from './dashboard.js';

const ROWS = 10_000;

describeInBrowser('a list of 10,000 rows', () => {
  const dashboard = useDashboard();

  it('keeps at most 60 of them in the page, and leads to any of them', async () => {
    const made = await dashboard.owner.session.post(`${dashboard.store.path}/customers`, { id: 'ada' });
    expect(made.status).toBe(201);
    const page = await dashboard.newPage();
    // A page of the API has fewer rows; what is drawn is the same.
    await page.route(/\/v2\/projects\/[^/]+\/filtered_customers\?/, async (route) => {
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

  it('exports every row as CSV without formulas, and nothing when cancelled', async () => {
    await dashboard.server.dataSource.query(
      `INSERT INTO audit_logs (project_id, id, occurred_at, action_type, target_type, target_identifier, actor_type,
         actor_identifier, additional_data)
       SELECT $1, 'log_long_list_' || n, $2::timestamptz - n * interval '1 second', 'create_product', 'product',
         '=SUM(A' || n || ')', 'api_key', '@key', '{}'
       FROM generate_series(1, $3::int) n`,
      [dashboard.projectId, new Date(dashboard.server.clock.nowMs()), ROWS],
    );
    const page = await dashboard.open(dashboard.path('settings/audit'));
    const files: string[] = [];
    page.on('download', (file) => files.push(file.suggestedFilename()));
    const strip = page.getByRole('region', { name: 'Work in progress' });
    const save = page.getByRole('button', { name: 'Download CSV' });

    let calls = 0;
    const later = /\/audit_logs\?.*limit=100.*starting_after/;
    // The third call is never answered.
    await page.route(later, (route) => (++calls < 3 ? route.continue() : undefined));
    await save.click();
    await strip.getByText('300 so far').waitFor();
    await strip.getByRole('button', { name: 'Cancel' }).click();
    await strip.getByText('Cancelled').waitFor();
    await strip.getByRole('button', { name: 'Close audit-log.csv' }).click();
    await page.unroute(later);
    expect(files).toEqual([]);

    const download = page.waitForEvent('download');
    await save.click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    await strip.getByText(/Done · 10,\d+ of 10,\d+/).waitFor();
    expect(files).toEqual(['audit-log.csv']);
    const saved = lines.flatMap((line) => /,'=SUM\(A(\d+)\),api_key,'@key,/.exec(line)?.[1] ?? []);
    expect(saved.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, n) => n + 1));
    expect(lines.filter((line) => /(^|,)"?[=@]/.test(line))).toEqual([]);
  });
});
