import type { Locator, Page } from 'playwright-core';
import type { Json } from '../../support/api-client.js';
import { paywallCalls } from '../../support/arrange-paywalls.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

const ROOT = '/components_config/base/stack';

describeInBrowser('the paywall editor', () => {
  const dashboard = useDashboard();
  let calls: ReturnType<typeof paywallCalls>;
  beforeAll(() => {
    calls = paywallCalls({ ...dashboard.store, clock: dashboard.server.clock });
  });

  async function newPaywall(template = 'two_plans'): Promise<{ id: string; draft: () => Promise<Json> }> {
    const offering = await calls.fullOffering();
    const { id } = await calls.made('/paywalls', { offering_id: offering.id, template_id: template });
    return { id, draft: async () => (await calls.whole(id)).components.draft };
  }

  const openEditor = (id: string, person = dashboard.owner): Promise<Page> =>
    dashboard.open(dashboard.path(`catalog/paywalls/${id}`), person, { width: 1440, height: 900 });

  const layer = (page: Page, path: string): Locator => page.locator(`[role=treeitem][data-path="${path}"]`);
  const isSaved = (page: Page): Promise<void> =>
    page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor();

  /** Presses Tab until the element has the focus. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < 120; presses++) {
      if ((await page.locator(':focus').and(target).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('The focus does not reach it.');
  }

  it('shows layers, phone and properties', async () => {
    const { id } = await newPaywall();
    const page = await openEditor(id);
    await layer(page, `${ROOT}/components/2/stack`).click();
    await expectAccessible(page);
    await shoot(page, 'paywall-editor');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByLabel('Paywall as JSON').waitFor();
    await expectAccessible(page);
    await shoot(page, 'paywall-editor-json');
  });

  it('works by keyboard alone', async () => {
    const { id, draft } = await newPaywall('simple');
    const page = await openEditor(id);
    const before = (await draft()).components_config.base.stack.components as Json[];
    await tabTo(page, layer(page, ROOT));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await isSaved(page);
    const ids = async () =>
      ((await draft()).components_config.base.stack.components as Json[]).map(({ id: one }) => one as string);
    const [first, second, ...rest] = before.map(({ id: one }) => one as string);
    expect(await ids()).toEqual([second, first, ...rest]);

    await page.keyboard.press('+');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Text', exact: true });
    await tabTo(page, field);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Join today');
    await isSaved(page);
    const saved = await draft();
    const texts = Object.entries(saved.components_localizations.en_US as Record<string, string>);
    const [lid] = texts.find(([, text]) => text === 'Join today')!;
    expect(JSON.stringify(saved.components_config)).toContain(`"text_lid":"${lid}"`);

    await tabTo(page, page.locator('[role=treeitem][aria-selected=true]'));
    await page.keyboard.press('Delete');
    await isSaved(page);
    expect(await ids()).toEqual([second, first, ...rest]);
    expect(Object.values((await draft()).components_localizations.en_US)).not.toContain('Join today');
    await page.keyboard.press('Control+z');
    await isSaved(page);
    expect(Object.values((await draft()).components_localizations.en_US)).toContain('Join today');
  });

  it('undoes 100 steps', async () => {
    const { id, draft } = await newPaywall('simple');
    const page = await openEditor(id);
    const { spacing } = (await draft()).components_config.base.stack;
    const field = page.getByLabel('Spacing', { exact: true });
    const other = page.getByLabel('Padding, top', { exact: true });
    // Changes of two values in turn are separate steps.
    for (let step = 1; step <= 52; step++) {
      await field.fill(String(step));
      await other.fill(String(step));
    }
    for (let step = 0; step < 110; step++) await page.keyboard.press('Control+z');
    expect(await field.inputValue()).toBe('2');
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByRole('button', { name: 'Redo' }).click();
    expect(await field.inputValue()).toBe('3');
    expect(spacing).not.toBe(52);
  });

  it('lets one of two windows win, and the other keep its work', async () => {
    const { id, draft } = await newPaywall('simple');
    const [mine, theirs] = [await openEditor(id), await openEditor(id)];
    const spacing = (page: Page) => page.getByLabel('Spacing', { exact: true });
    await spacing(mine).waitFor();
    await spacing(theirs).fill('41');
    await isSaved(theirs);
    dashboard.expectProblem(/status of 409/);
    await spacing(mine).fill('42');
    await mine.getByText('Someone else changed this paywall.').waitFor();
    expect(await spacing(mine).inputValue()).toBe('42');
    expect((await draft()).components_config.base.stack.spacing).toBe(41);
    await expectAccessible(mine);
    await shoot(mine, 'paywall-editor-conflict');

    const offering = await calls.fullOffering();
    await mine.getByRole('button', { name: 'Keep mine as a copy' }).click();
    await mine.getByRole('dialog').getByLabel('Offering').selectOption(offering.id);
    await mine.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await mine.waitForURL((url) => !url.pathname.endsWith(id));
    await mine.getByRole('heading', { level: 1, name: '(copy)' }).waitFor();
    expect(await spacing(mine).inputValue()).toBe('42');

    await theirs.bringToFront();
    await calls.retitle(id, 'Changed by a script');
    await spacing(theirs).fill('43');
    await theirs.getByRole('button', { name: 'Use theirs' }).click();
    await isSaved(theirs);
    expect(await spacing(theirs).inputValue()).toBe('41');
  });

  it('loses nothing while the server is away', async () => {
    const { id, draft } = await newPaywall('simple');
    const page = await openEditor(id);
    const spacing = page.getByLabel('Spacing', { exact: true });
    await spacing.waitFor();
    dashboard.expectProblem(/ERR_CONNECTION_REFUSED/);
    await dashboard.withoutServer(async () => {
      await spacing.fill('33');
      await page.getByText('Not saved: The server cannot be reached.').waitFor();
      await spacing.fill('34');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      let asked = '';
      page.once('dialog', (dialog) => {
        asked = dialog.message();
        void dialog.dismiss();
      });
      await page.getByRole('link', { name: 'Customers' }).click();
      expect(asked).toContain('not saved');
    });
    expect(await spacing.inputValue()).toBe('34');
    await page.getByRole('button', { name: 'Try again' }).click();
    await isSaved(page);
    expect((await draft()).components_config.base.stack.spacing).toBe(34);
  });

  it('has a form for a type that the schema gains', async () => {
    const { id } = await newPaywall('simple');
    const page = await dashboard.newPage(dashboard.owner, { width: 1440, height: 900 });
    await page.route('**/schemas/paywall-document.json', async (route) => {
      const schema = await (await route.fetch()).json();
      schema.$defs.rating = {
        title: 'Rating',
        type: 'object',
        properties: {
          type: { const: 'rating' },
          id: { $ref: '#/$defs/id' },
          stars: { type: 'integer', minimum: 1, maximum: 5, default: 4 },
          shape: { type: 'string', enum: ['star', 'heart'], default: 'star' },
        },
        required: ['type', 'id', 'stars'],
        additionalProperties: false,
      };
      schema.$defs.component.oneOf.push({ $ref: '#/$defs/rating' });
      await route.fulfill({ json: schema });
    });
    await page.goto(dashboard.url + dashboard.path(`catalog/paywalls/${id}`));
    await layer(page, ROOT).click();
    await page.keyboard.press('+');
    await page.getByRole('dialog').getByRole('button', { name: 'Rating' }).click();
    await page.getByRole('heading', { level: 2, name: 'Rating' }).waitFor();
    expect(await page.getByLabel('Stars').inputValue()).toBe('4');
    await page.getByLabel('Shape').selectOption({ label: 'Heart' });
    // The server has no such type: the draft is saved, and names the problem.
    await page.getByRole('button', { name: /problem/ }).click();
    await page.getByRole('dialog').getByText('must be one of', { exact: false }).first().waitFor();
  });

  it('shows a paywall without changing it to people who may only read', async () => {
    const { id } = await newPaywall('simple');
    const page = await openEditor(id, await dashboard.member('viewer'));
    await page.getByText('Read only').waitFor();
    expect(await page.getByLabel('Spacing', { exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('replaces the document by JSON once it follows the schema', async () => {
    const { id, draft } = await newPaywall('simple');
    const page = await openEditor(id);
    await page.getByRole('tab', { name: 'JSON' }).click();
    const text = page.getByLabel('Paywall as JSON');
    const document = JSON.parse(await text.inputValue());
    document.components_config.base.stack.spacing = -3;
    await text.fill(JSON.stringify(document));
    await page.locator('p').filter({ hasText: 'stack/spacing must be at least 0.' }).waitFor();
    document.components_config.base.stack.spacing = 27;
    await text.fill(JSON.stringify(document));
    await page.getByRole('button', { name: 'Apply' }).click();
    await isSaved(page);
    expect((await draft()).components_config.base.stack.spacing).toBe(27);
  });
});
