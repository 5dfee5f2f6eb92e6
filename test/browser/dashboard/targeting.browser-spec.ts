import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('targeting and experiments in the dashboard', () => {
  const dashboard = useDashboard();
  const offerings: string[] = [];

  beforeAll(async () => {
    const { backend, path } = dashboard.store;
    for (const [key, name] of [
      ['regular', 'Regular'],
      ['summer', 'Summer'],
    ]) {
      const made = await backend.post(`${path}/offerings`, { lookup_key: key, display_name: name });
      offerings.push(made.body.id);
    }
    await backend.post(`${path}/offerings/${offerings[0]}`, { is_current: true });
  });

  it('makes a rule, says whom it matches, and turns it off', async () => {
    const page = await dashboard.open(dashboard.path('targeting'));
    await page.getByRole('main').getByRole('button', { name: 'New rule' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await dialog.getByText('Give the rule a name.').waitFor();
    await dialog.getByLabel('Name').fill('Germany');
    await dialog.getByLabel('Offering', { exact: true }).selectOption({ label: 'Summer' });
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    const condition = dialog.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Values, separated by commas').fill('Germany');
    dashboard.expectProblem(/status of 400/);
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await condition.locator('[aria-invalid=true]').waitFor();
    await expectAccessible(page);
    await condition.getByLabel('Values, separated by commas').fill('de, at');
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Country is any of DE, AT').waitFor();

    const preview = page.getByRole('region', { name: 'What would a customer see?' });
    await preview.getByLabel('App', { exact: true }).selectOption({ index: 1 });
    await preview.getByLabel('Country').fill('DE');
    await preview.getByRole('button', { name: 'Show the offering' }).click();
    await preview.getByText('It is the offering of a rule.').waitFor();
    await preview.getByText('Summer').waitFor();
    await preview.getByLabel('Country').fill('FR');
    await preview.getByRole('button', { name: 'Show the offering' }).click();
    await preview.getByText('condition 1 does not hold').waitFor();
    await preview.getByText('Regular').waitFor();
    await expectAccessible(page);
    await shoot(page, 'targeting');

    const inGermany = { 'x-storefront': 'DEU', 'x-platform': 'iOS' };
    const current = async (): Promise<string> =>
      (await dashboard.store.sdk.get('/v1/subscribers/ada/offerings', inGermany)).body.current_offering_id;
    expect(await current()).toBe('summer');
    await page.getByRole('button', { name: 'Actions for Germany' }).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByRole('region', { name: 'Off', exact: true }).getByText('Germany').waitFor();
    expect(await current()).toBe('regular');

    await page.getByRole('button', { name: 'Actions for Germany' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('A rule shows an offering to some customers').waitFor();
  });

  it('changes of an experiment what its status allows', async () => {
    const { backend, path } = dashboard.store;
    const made = await backend.post(`${path}/experiments`, {
      display_name: 'Prices',
      offering_a_id: offerings[0],
      offering_b_id: offerings[1],
    });
    const saved = async () => (await backend.get(`${path}/experiments/${made.body.id}`)).body;
    const page = await dashboard.open(dashboard.path(`experiments/${made.body.id}`));
    const dialog = page.getByRole('dialog');
    const edit = async () => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await dialog.waitFor();
    };
    const save = () => dialog.getByRole('button', { name: 'Save experiment' }).click();
    await edit();
    await dialog.getByLabel('Share of each variant').fill('80, 30');
    dashboard.expectProblem(/status of 400/);
    await save();
    await dialog.getByText('weights must be 2 whole numbers', { exact: false }).waitFor();
    await dialog.getByLabel('Share of each variant').fill('80, 20');
    await dialog.getByRole('button', { name: 'Add placement' }).click();
    const placement = dialog.getByRole('group', { name: 'Placement 1' });
    await placement.getByLabel('Placement', { exact: true }).fill(' settings');
    await placement.getByLabel('Control').selectOption({ label: 'No offering' });
    await placement.getByLabel('Treatment', { exact: true }).selectOption({ label: 'Regular' });
    await save();
    await placement.locator('[aria-invalid=true]').waitFor();
    await expectAccessible(page);
    await placement.getByLabel('Placement', { exact: true }).fill('settings');
    await dialog.getByLabel('Primary metric').selectOption({ label: 'MRR' });
    await dialog.getByRole('checkbox', { name: 'Refunded customers' }).check();
    await save();
    await dialog.waitFor({ state: 'detached' });
    expect(await saved()).toMatchObject({
      status: 'draft',
      weights: [80, 20],
      primary_metric: 'total_mrr',
      secondary_metrics: ['refunded_customers'],
      placements: {
        placement_offerings: [
          { placement_identifier: 'settings', offering_a: null, offering_b: { id: offerings[0] } },
        ],
      },
    });

    await backend.post(`${path}/experiments/${made.body.id}/actions/start`, {});
    await page.reload();
    await edit();
    await dialog.getByText('Changes concern customers who join later.', { exact: false }).waitFor();
    expect(await dialog.getByLabel('Control').count()).toBe(0);
    await dialog.getByLabel('Share of the audience that joins').fill('0');
    await save();
    await dialog.getByText('must be a whole number from 1 to 100', { exact: false }).waitFor();
    await dialog.getByLabel('Share of the audience that joins').fill('30');
    await dialog.getByLabel('Notes').fill('Slowly.');
    await save();
    await page.getByRole('main').getByText('Slowly.').waitFor();
    expect(await saved()).toMatchObject({ enrollment_percentage: 30, notes: 'Slowly.', weights: [80, 20] });

    dashboard.server.clock.advanceMs(1_000);
    await backend.post(`${path}/experiments/${made.body.id}/actions/stop`, {});
    await page.reload();
    await edit();
    await dialog.getByText('only its name and notes', { exact: false }).waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(2);
    await dialog.getByLabel('Name').fill('Old prices');
    await save();
    await page.getByRole('heading', { level: 1, name: 'Old prices' }).waitFor();

    await page.goto(dashboard.url + dashboard.path('settings/audit'));
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByRole('cell', { name: 'Experiment updated' }).first().click();
    const entry = page.getByRole('region', { name: 'Experiment updated' });
    await entry.getByRole('table', { name: 'Changes' }).getByText('display_name', { exact: true }).waitFor();
    await entry.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Old prices' }).waitFor();
    await backend.delete(`${path}/experiments/${made.body.id}`);
  });

  it('holds a share of the customers out of experiments', async () => {
    const page = await dashboard.open(dashboard.path('settings/general'));
    const panel = page.getByRole('region', { name: 'Holdout group' });
    const share = panel.getByRole('textbox');
    await share.fill('51');
    dashboard.expectProblem(/status of 400/);
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('must be a whole number from 0 to 50', { exact: false }).waitFor();
    await expectAccessible(page);
    await share.fill('5');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const { backend, path } = dashboard.store;
    expect((await backend.get(path)).body.experiment_holdout_percentage).toBe(5);
    await dashboard.owner.session.post(path, { experiment_holdout_percentage: 0 });
  });

  it('takes an experiment from its draft to a winner', async () => {
    const page = await dashboard.open(dashboard.path('experiments'));
    await page.getByRole('main').getByRole('button', { name: 'New experiment' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Summer prices');
    await dialog.getByLabel('Control').selectOption({ label: 'Regular' });
    await dialog.getByLabel('Treatment', { exact: true }).selectOption({ label: 'Summer' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Summer prices' }).waitFor();
    await page.getByText('There are results once the experiment has been started.').waitFor();

    await page.getByRole('button', { name: 'Start' }).click();
    const ask = page.getByRole('alertdialog');
    await ask.getByText('Customers of the audience join from now on.', { exact: false }).waitFor();
    await ask.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('main').getByText('Running', { exact: true }).waitFor();
    const results = page.getByRole('table', { name: 'Results' });
    await results.getByRole('row', { name: /Conversion to paying/ }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'experiment');

    await page.getByRole('button', { name: 'Choose a winner' }).click();
    await dialog.getByLabel('Variant').selectOption({ label: 'Treatment: Summer' });
    await dialog.getByRole('radio', { name: 'It becomes the current offering' }).check();
    await dialog.getByRole('button', { name: 'Choose a winner' }).click();
    await page.getByRole('main').getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('main').getByText('Winner', { exact: true }).waitFor();
    const answer = await dashboard.store.sdk.get('/v1/subscribers/bob/offerings');
    expect(answer.body.current_offering_id).toBe('summer');

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await ask.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('An experiment shows different offerings').waitFor();
  });
});
