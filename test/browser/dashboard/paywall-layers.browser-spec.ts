import type { Locator, Page } from 'playwright-core';
import type { Json } from '../../support/api-client.js';
import { paywallCalls } from '../../support/arrange-paywalls.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { type PageOptions, useDashboard } from './dashboard.js';
import { expectGoodLayout } from './layout.js';
import { shoot } from './screenshots.js';

const ROOT = '/components_config/base/stack';
const selectedRow = '[role=treeitem][aria-selected=true]';

describeInBrowser('the layers of the paywall editor', () => {
  const dashboard = useDashboard();
  let calls: ReturnType<typeof paywallCalls>;
  beforeAll(() => {
    calls = paywallCalls({ ...dashboard.store, clock: dashboard.server.clock });
  });

  interface Draft {
    id: string;
    draft: () => Promise<Json>;
    problems: () => Promise<Json[]>;
  }

  async function newPaywall(template = 'two_plans'): Promise<Draft> {
    const offering = await calls.fullOffering();
    const { id } = await calls.made('/paywalls', { offering_id: offering.id, template_id: template });
    return {
      id,
      draft: async () => (await calls.whole(id)).components.draft,
      problems: async () => (await calls.whole(id)).problems,
    };
  }

  const openEditor = (id: string, options: PageOptions = { width: 1440, height: 900 }): Promise<Page> =>
    dashboard.open(dashboard.path(`catalog/paywalls/${id}`), dashboard.owner, options);

  const layer = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);
  const isSaved = (page: Page): Promise<void> =>
    page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor();

  /** Drags a row by the mouse to a height within another row: 0 is its upper edge, 1 the lower one. */
  async function drag(page: Page, from: Locator, to: Locator, share: number): Promise<void> {
    const start = (await from.boundingBox())!;
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    const end = (await to.boundingBox())!;
    const x = end.x + end.width / 2;
    await page.mouse.move(x, start.y + start.height / 2 + 6, { steps: 3 });
    await page.mouse.move(x, end.y + end.height * share, { steps: 12 });
  }

  it('moves a layer that the mouse drags beside another, or into it', async () => {
    const { id, draft } = await newPaywall('simple');
    const page = await openEditor(id);
    await layer(page, ROOT).waitFor();
    const items = async () => (await draft()).components_config.base.stack.components as Json[];
    const before = (await items()).map((one) => one.id as string);
    const row = (index: number) => layer(page, `${ROOT}/components/${index}`);

    await drag(page, row(0), row(2), 0.9);
    await page.mouse.up();
    await page.locator(`${selectedRow}[data-path="${ROOT}/components/2"]`).waitFor();
    await isSaved(page);
    const [first, second, third, ...rest] = before;
    expect((await items()).map(({ id: one }) => one as string)).toEqual([second, third, first, ...rest]);

    const stack = (await items()).findIndex(({ type }) => type === 'package');
    await drag(page, row(2), row(stack), 0.5);
    await page.mouse.up();
    await page.locator(`${selectedRow}[data-path^="${ROOT}/components/${stack - 1}/"]`).waitFor();
    await isSaved(page);
    const moved = await items();
    expect(moved.map(({ id: one }) => one as string)).not.toContain(first);
    expect(JSON.stringify(moved.find(({ type }) => type === 'package'))).toContain(`"id":"${first}"`);

    // A layer cannot be dropped into itself.
    const content = JSON.stringify((await draft()).components_config);
    await drag(page, layer(page, ROOT), row(0), 0.5);
    await page.mouse.up();
    expect(JSON.stringify((await draft()).components_config)).toBe(content);
  });

  it('has a tab for each part of the design on a phone', async () => {
    const { id } = await newPaywall();
    for (const theme of ['light', 'dark'] as const) {
      const page = await openEditor(id, { width: 390, height: 844, theme });
      await layer(page, `${ROOT}/components/2`).click();
      for (const name of ['Layers', 'Properties', 'Preview']) {
        await page.getByRole('tab', { name, exact: true }).click();
        if (name === 'Preview')
          await page
            .frameLocator('iframe[title="Preview of the paywall"]')
            .getByText('Choose your plan')
            .waitFor();
        if (name === 'Properties') await page.getByRole('region', { name: 'Content' }).waitFor();
        await expectAccessible(page);
        await expectGoodLayout(page);
        if (theme === 'light') await shoot(page, `paywall-editor-${name.toLowerCase()}`);
      }
    }
  });

  it('adds a header and a footer to the screen, and removes them', async () => {
    const { id, draft } = await newPaywall('simple');
    const page = await openEditor(id);
    const base = async () => (await draft()).components_config.base;
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add a component' }).click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
    };
    await add('Header');
    await add('Text');
    await isSaved(page);
    expect((await base()).header.stack.components).toEqual([expect.objectContaining({ type: 'text' })]);
    await page.getByRole('button', { name: 'Add a component' }).click();
    await expectAccessible(page);
    await shoot(page, 'paywall-editor-add');
    await page.keyboard.press('Escape');
    await layer(page, '/components_config/base/header').click();
    await page.getByRole('button', { name: 'Actions for Header' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await isSaved(page);
    expect(await base()).not.toHaveProperty('header');
    await add('Footer');
    await isSaved(page);
    expect((await base()).sticky_footer).toMatchObject({ type: 'footer' });
  });

  it('adds a tab together with its button', async () => {
    const { id, problems } = await newPaywall('plans_in_tabs');
    const page = await openEditor(id);
    await page.getByRole('treeitem', { name: 'Tabs', exact: true }).click();
    const before = await problems();
    await page.keyboard.press('+');
    await page.getByRole('dialog').getByRole('button', { name: 'Tab', exact: true }).click();
    const preview = page.frameLocator('iframe[title="Preview of the paywall"]');
    await preview.getByText('New tab').first().waitFor();
    await isSaved(page);
    expect(await problems()).toEqual(before);
    await page.getByRole('button', { name: /^Actions for Tab/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await preview.getByText('New tab').first().waitFor({ state: 'detached' });
    await isSaved(page);
    expect(await problems()).toEqual(before);
  });

  it('keeps the last property of an override', async () => {
    const { id, draft, problems } = await newPaywall('simple');
    const page = await openEditor(id);
    const { components } = (await draft()).components_config.base.stack;
    const text = components.findIndex(({ type }: Json) => type === 'text');
    await layer(page, `${ROOT}/components/${text}`).click();
    await page.getByRole('button', { name: 'Change it when…' }).click();
    const rule = page.getByRole('group', { name: 'When selected' });
    await rule.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem').first().click();
    expect(await rule.getByRole('button', { name: /^Remove / }).count()).toBeGreaterThan(1);
    await isSaved(page);
    expect((await problems()).filter(({ code }) => code === 'E1')).toEqual([]);
  });

  it('renames the paywall', async () => {
    const { id } = await newPaywall('simple');
    const page = await openEditor(id);
    await page.getByLabel('Spacing', { exact: true }).fill('31');
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Winter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
    await isSaved(page);
    const { name, components } = await calls.whole(id);
    expect([name, components.draft.components_config.base.stack.spacing]).toEqual(['Winter', 31]);
  });

  it('opens the field or the texts that a problem is about', async () => {
    const { id, draft } = await newPaywall('simple');
    const { revision, components_config: config, components_localizations: texts } = await draft();
    const place = config.base.stack.components.findIndex(({ type }: Json) => type === 'text');
    config.base.stack.components[place].font_weight = 'heavy';
    await calls.patch(id, {
      revision,
      components_config: config,
      components_localizations: { ...texts, de_DE: {} },
    });
    const open = async (page: Page, message: RegExp) => {
      await page.getByRole('button', { name: /problem/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: message }).first().click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const page = await openEditor(id);
    await open(page, /`font_weight` must be one of/);
    await page.locator('[data-field$="/font_weight"] select:focus').waitFor();

    config.base.stack.components[place].font_weight = 'bold';
    await calls.patch(id, { revision: revision + 1, components_config: config });
    const phone = await openEditor(id, { width: 390, height: 844 });
    await open(phone, /de_DE has no text/);
    await phone.getByRole('tab', { name: 'Texts', selected: true }).waitFor();
    await phone.getByRole('button', { name: 'Remove German (Germany)' }).click();
    await isSaved(phone);
    expect(Object.keys((await draft()).components_localizations)).toEqual(['en_US']);
  });
});
