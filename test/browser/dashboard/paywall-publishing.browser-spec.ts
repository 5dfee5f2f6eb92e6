import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Json } from '../../support/api-client.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const DAY_MS = 86_400_000;
const csvFile = (text: string) => ({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

describeInBrowser('texts and publishing of a paywall', () => {
  const dashboard = useDashboard();
  let paywall: Json;

  beforeAll(async () => {
    const { backend, path, offering } = dashboard.store;
    const answer = await backend.post(`${path}/paywalls`, {
      offering_id: offering.id,
      template_id: 'timeline_trial',
      name: 'Summer',
    });
    expect(answer.status).toBe(201);
    paywall = answer.body;
  });

  const address = (tab = '') => dashboard.path(`catalog/paywalls/${paywall.id}${tab}`);
  const content = async (): Promise<Json> => {
    const { body } = await dashboard.store.backend.get(
      `${dashboard.store.path}/paywalls/${paywall.id}?expand=components`,
    );
    return body;
  };
  const saved = (page: Page) =>
    page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());

  it('translates texts in a table, and reads back its own CSV file', async () => {
    const page = await dashboard.open(address('?tab=texts'));
    await page.getByText('No text is missing.').waitFor();
    await page.getByRole('button', { name: 'Add language' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await dialog.getByText('Choose a language.').waitFor();
    await dialog.getByLabel('Language').selectOption('de_DE');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await page.getByText(/^Missing in a language: (\d+) of \1\./).waitFor();

    const saving = saved(page);
    const first = page.getByLabel('Text, German (Germany), missing', { exact: true });
    expect(await first.getAttribute('placeholder')).toBe('How your free trial works');
    await first.fill('So läuft das Probeabo');
    await saving;
    const { components } = await content();
    expect(Object.values(components.draft.components_localizations.de_DE)).toEqual(['So läuft das Probeabo']);
    await expectAccessible(page);
    await shoot(page, 'paywall-texts');

    await page.getByRole('switch', { name: 'Missing only' }).check();
    expect(await page.getByLabel('Text, German (Germany)', { exact: true }).count()).toBe(0);
    await page.getByRole('switch', { name: 'Missing only' }).uncheck();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const exported = await readFile(await (await downloading).path(), 'utf8');
    expect(exported).toMatch(/^\ufeffid,component,en_US,de_DE\r\n/);

    await page.getByRole('button', { name: 'Import CSV' }).click();
    await dialog.getByLabel('File').setInputFiles(csvFile('name,en_US\r\n'));
    await dialog.getByText('The file has no column “id” in its first line.').waitFor();
    await dialog.getByLabel('File').setInputFiles(csvFile(exported));
    await dialog.getByText('The file changes nothing.').waitFor();
    const { draft } = components;
    const ids = Object.keys(draft.components_localizations.en_US);
    const file = `id,de_DE,fr_FR\r\n${ids[0]},"'=1+1",\r\n${ids[1]},"Zeile 1\r\n""Zeile 2""",Oui\r\nnone,x,y\r\n`;
    await dialog.getByLabel('File').setInputFiles(csvFile(file));
    await dialog.getByText('Adds French (France).').waitFor();
    await dialog.getByText('1 row is not in this paywall.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'paywall-texts-import');
    const importing = saved(page);
    await dialog.getByRole('button', { name: 'Change 3 texts' }).click();
    await page.getByText('3 texts changed.').waitFor();
    await importing;
    const { components_localizations: after } = (await content()).components.draft;
    expect([after.de_DE[ids[0]!], after.de_DE[ids[1]!], after.fr_FR[ids[1]!]]).toEqual([
      '=1+1',
      'Zeile 1\n"Zeile 2"',
      'Oui',
    ]);
  });

  it('publishes a draft, warns of what phones cannot reach, and takes an older version back', async () => {
    const page = await dashboard.open(address());
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText('Apps get it at their next start.').waitFor();
    await dialog.getByText(/^Phones cannot load paywalls and images from /).waitFor();
    await expectAccessible(page);
    await shoot(page, 'paywall-publish');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published.').waitFor();
    const { revision } = (await content()).components.published;
    await page.getByRole('button', { name: 'Open the offering' }).click();
    await page.getByRole('heading', { level: 1, name: dashboard.store.offering.display_name }).waitFor();

    for (const [who, days] of [
      ['ada', 1],
      ['grace', 2],
      ['edith', 20],
    ] as const) {
      await dashboard.store.sdk.get(`/v1/subscribers/${who}`);
      await dashboard.server.dataSource.query(
        `INSERT INTO paywall_views (project_id, environment, app_user_id, paywall_id, first_at)
         VALUES ($1, 'production', $2, $3, $4)`,
        [dashboard.projectId, who, paywall.id, new Date(dashboard.server.clock.nowMs() - days * DAY_MS)],
      );
    }
    await page.goto(dashboard.url + address('?tab=texts'));
    const saving = saved(page);
    await page.getByLabel('Text, English (United States)', { exact: true }).fill('A new title');
    await saving;
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByText('2 customers saw this paywall for the first time in the last 7 days.').waitFor();
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published.').waitFor();

    await page.getByRole('button', { name: 'History' }).click();
    await dialog.getByText(`Revision ${revision + 1}`, { exact: true }).waitFor();
    await dialog.getByText('published by owner@example.com').first().waitFor();
    await expectAccessible(page);
    await shoot(page, 'paywall-history');
    const restoring = saved(page);
    await dialog.getByRole('button', { name: `Take into the draft: revision ${revision}` }).click();
    await page.getByText(`Revision ${revision} is the draft now.`).waitFor();
    await restoring;
    expect(await page.getByLabel('Text, English (United States)', { exact: true }).inputValue()).toBe(
      'How your free trial works',
    );
  });

  it('lists what prevents publishing, and opens its place', async () => {
    const { backend, path } = dashboard.store;
    const { components } = await content();
    const { revision, components_config, components_localizations } =
      components.draft ?? components.published;
    const { stack } = components_config.base;
    const [first, second, ...rest] = stack.components;
    const answer = await backend.send('PATCH', `${path}/paywalls/${paywall.id}`, {
      revision,
      components_config: {
        base: {
          ...components_config.base,
          stack: { ...stack, components: [first, { ...second, font_weight: 'heavy' }, ...rest] },
        },
      },
      components_localizations,
    });
    expect(answer.status).toBe(200);
    const page = await dashboard.open(address('?tab=texts'));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This paywall cannot be published yet.').waitFor();
    await expectAccessible(page);
    await shoot(page, 'paywall-publish-errors');
    await dialog.getByRole('button', { name: /`font_weight` must be one of/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Design', selected: true }).waitFor();
  });

  it('lets people who may only read look at texts and versions', async () => {
    const reader = await dashboard.member('viewer');
    const page = await dashboard.open(address('?tab=texts'), reader);
    expect(
      await page.getByLabel('Text, English (United States)', { exact: true }).getAttribute('readonly'),
    ).not.toBeNull();
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    for (const name of ['Add language', 'Import CSV'])
      expect(await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')).toBe(
        'true',
      );
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Revision \d+$/)
      .first()
      .waitFor();
  });
});
