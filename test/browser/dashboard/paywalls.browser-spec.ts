import type { Json } from '../../support/api-client.js';
import { font } from '../../support/fonts.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('the pages of paywalls in the dashboard', () => {
  const dashboard = useDashboard();

  /** An offering that is not in use, with a paywall from a template. */
  async function withPaywall(key: string, template: string): Promise<Json> {
    const { backend, path } = dashboard.store;
    const offering = await backend.post(`${path}/offerings`, {
      lookup_key: key,
      display_name: `Offering ${key}`,
    });
    const paywall = await backend.post(`${path}/paywalls`, {
      offering_id: offering.body.id,
      template_id: template,
      name: `Paywall ${key}`,
    });
    expect(paywall.status).toBe(201);
    return paywall.body;
  }

  it('creates a paywall from a template for an offering without one', async () => {
    const page = await dashboard.open(dashboard.path('catalog/paywalls'));
    await page.getByText('No paywalls yet').waitFor();
    await shoot(page, 'paywalls-empty');
    await page.getByRole('main').getByRole('button', { name: 'New paywall' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Two plans/ }).check();
    await dialog.getByLabel('Name').fill('Spring');
    await expectAccessible(page);
    await shoot(page, 'new-paywall');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/catalog\/paywalls\/pw\w+$/);
    const preview = page.frameLocator('iframe[title="Preview of the paywall"]');
    await preview.getByText('Choose your plan').waitFor();
    await preview.getByText('$79.99/year').waitFor();
    await expectAccessible(page);
    const { items } = (await dashboard.store.backend.get(`${dashboard.store.path}/paywalls`)).body;
    expect(items).toEqual([expect.objectContaining({ name: 'Spring', published_at: null })]);

    await page.goto(dashboard.url + dashboard.path('catalog/paywalls'));
    await page.getByRole('button', { name: 'New paywall' }).click();
    await dialog.getByText('Every offering has a paywall. Create an offering first.').waitFor();
  });

  it('lists paywalls with their state, problems and figures', async () => {
    const { backend, path } = dashboard.store;
    const { items } = (await backend.get(`${path}/paywalls`)).body;
    expect((await backend.post(`${path}/paywalls/${items[0].id}/actions/publish`)).status).toBe(200);
    await withPaywall('draft', 'simple');
    expect((await backend.post(`${path}/customers`, { id: 'ada' })).status).toBe(201);
    await dashboard.server.dataSource.query(
      `INSERT INTO paywall_views (project_id, environment, app_user_id, paywall_id, first_at)
       VALUES ($1, 'sandbox', 'ada', $2, $3)`,
      [dashboard.projectId, items[0].id, new Date(dashboard.server.clock.nowMs() - 3_600_000)],
    );
    const page = await dashboard.open(dashboard.path('catalog/paywalls?env=sandbox'));
    const rows = page.getByRole('table', { name: 'Paywalls' }).getByRole('row');
    const published = rows.filter({ hasText: 'Spring' });
    await published.getByText('Published', { exact: true }).waitFor();
    await published.getByText('0.0%').waitFor();
    const draft = rows.filter({ hasText: 'Paywall draft' });
    await draft.getByText('Draft', { exact: true }).waitFor();
    await draft.getByText(/problem/).waitFor();
    await expectAccessible(page);
    await shoot(page, 'paywalls');
  });

  it('duplicates, unpublishes and deletes a paywall', async () => {
    const { backend, path } = dashboard.store;
    await backend.post(`${path}/offerings`, { lookup_key: 'copy', display_name: 'For a copy' });
    const page = await dashboard.open(dashboard.path('catalog/paywalls'));
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for Spring', exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await choose('Duplicate');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Copy of it');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/catalog\/paywalls\/pw\w+$/);

    await page.goto(dashboard.url + dashboard.path('catalog/paywalls'));
    await page.getByText('Copy of it').waitFor();
    await choose('Unpublish');
    const question = page.getByRole('alertdialog');
    await question
      .getByText(
        'Apps stop showing this paywall at their next start. They show their own default screen instead.',
      )
      .waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Unpublish' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Spring' }).getByText('Draft', { exact: true }).waitFor();
    await choose('Delete');
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Spring').waitFor();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Spring' }).waitFor({ state: 'detached' });
  });

  it('leads from an offering to its paywall', async () => {
    const paywall = await withPaywall('linked', 'simple');
    const page = await dashboard.open(dashboard.path(`catalog/offerings/${paywall.offering_id}`));
    const card = page.getByRole('region', { name: 'Paywall', exact: true });
    await card.getByText('Paywall linked').waitFor();
    await expectAccessible(page);
    await shoot(page, 'offering-with-paywall');
    await card.getByRole('link', { name: 'Open' }).click();
    await page.waitForURL(new RegExp(`/catalog/paywalls/${paywall.id}`));

    const { backend, path } = dashboard.store;
    const bare = await backend.post(`${path}/offerings`, { lookup_key: 'bare', display_name: 'Bare' });
    await page.goto(dashboard.url + dashboard.path(`catalog/offerings/${bare.body.id}`));
    await card.getByRole('button', { name: 'Create a paywall' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Offering').inputValue()).toBe(bare.body.id);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/catalog\/paywalls\/pw\w+$/);
  });

  it('adds colors, fonts and variables, and removes those that no paywall names', async () => {
    const page = await dashboard.open(dashboard.path('catalog/paywall-settings'));
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add color' }).click();
    await dialog.getByLabel('Name').fill('brand');
    await dialog.getByLabel('Color', { exact: true }).fill('blue');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText(/^Enter # and six digits/).waitFor();
    await dialog.getByLabel('Color', { exact: true }).fill('#2050c0');
    await dialog.getByLabel('In dark mode', { exact: false }).last().fill('#7aa2ff');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add font' }).click();
    await dialog.getByLabel('Name').fill('title');
    await dialog.getByLabel('File').setInputFiles({
      name: 'Inter-SemiBold.ttf',
      mimeType: 'font/ttf',
      buffer: font([{ platform: 3, id: 6, text: 'Inter-SemiBold' }]),
    });
    expect(await dialog.getByLabel('Family').inputValue()).toBe('Inter');
    await dialog.getByLabel('Weight').selectOption('600');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Inter-SemiBold.ttf').waitFor();

    await page.getByRole('button', { name: 'Add variable' }).click();
    await dialog.getByLabel('Name').fill('level');
    await dialog.getByLabel('Type').selectOption('number');
    await dialog.getByLabel('Default value').fill('3');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectAccessible(page);
    await shoot(page, 'paywall-settings');
    const { body } = await dashboard.store.backend.get(`${dashboard.store.path}/paywall_settings`);
    expect(body).toMatchObject({
      colors: {
        brand: { light: { type: 'hex', value: '#2050c0' }, dark: { type: 'hex', value: '#7aa2ff' } },
      },
      fonts: { title: { family: 'Inter', weight: 600, style: 'normal' } },
      custom_variables: { level: { type: 'number', default_value: 3 } },
    });

    const question = page.getByRole('alertdialog');
    await page.getByRole('button', { name: 'Actions for level' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No custom variables yet.').waitFor();

    const paywall = await withPaywall('colored', 'simple');
    const { backend, path } = dashboard.store;
    const { components } = (await backend.get(`${path}/paywalls/${paywall.id}?expand=components`)).body;
    const config = components.draft.components_config;
    config.base.stack.components.find(({ type }: Json) => type === 'text').color = {
      light: { type: 'alias', value: 'brand' },
    };
    await backend.send('PATCH', `${path}/paywalls/${paywall.id}`, { revision: 1, components_config: config });
    dashboard.expectProblem(/status of 409/);
    await page.getByRole('button', { name: 'Actions for brand' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.getByText(/Paywalls have a color that would be removed/).waitFor();
  });
});
