import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { settled, shoot } from './screenshots.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeInBrowser('notes on a customer in the dashboard', () => {
  const dashboard = useDashboard();

  const customer = (id: string): string => dashboard.path(`customer?id=${encodeURIComponent(id)}`);
  const notesOf = async (id: string) =>
    (await dashboard.store.backend.get(`${dashboard.store.path}/customers/${id}/notes`)).body.items;

  beforeAll(async () => {
    const { sdk, path, backend } = dashboard.store;
    const body = {
      app_user_id: 'nora',
      fetch_token: `test_${dashboard.server.clock.nowMs()}_nora`,
      product_id: 'pro_monthly',
    };
    await sdk.post('/v1/receipts', body);
    dashboard.server.clock.advanceMs(1_000);
    await backend.post(`${path}/customers/nora/notes`, { text: `Imported from the help desk.\n${HOSTILE}` });
  });

  it('adds a note, changes it and deletes it', async () => {
    const page = await dashboard.open(customer('nora'));
    const timeline = page.getByRole('region', { name: 'Events, newest first' });
    await timeline.getByText(HOSTILE).waitFor();
    await timeline.getByText('Note by API key').waitFor();
    dashboard.server.clock.advanceMs(1_000);
    await page.getByRole('button', { name: 'Add note' }).click();
    const add = page.getByRole('dialog', { name: 'Add note' });
    await add.getByRole('button', { name: 'Save note' }).click();
    await add.getByText('Enter 1 to 5,000 characters.').waitFor();
    await add.getByRole('textbox', { name: 'Note' }).fill('Wants the yearly plan.\nCall on Monday.');
    await expectAccessible(page);
    await shoot(page, 'customer-note-form');
    await add.getByRole('button', { name: 'Save note' }).click();
    await add.waitFor({ state: 'detached' });
    const note = timeline.getByRole('listitem').filter({ hasText: 'Wants the yearly plan.' });
    await note.getByText(`Note by ${dashboard.owner.email}`).waitFor();
    await settled(page);
    await expectAccessible(page);
    await shoot(page, 'customer-notes');
    expect(await page.locator('img[src=x]').count()).toBe(0);

    dashboard.server.clock.advanceMs(1_000);
    await note.getByRole('button', { name: 'Actions for the note' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit note' });
    await edit.getByRole('textbox', { name: 'Note' }).fill('Has the yearly plan.');
    await edit.getByRole('button', { name: 'Save note' }).click();
    await timeline.getByText('Has the yearly plan.').waitFor();
    await timeline.getByText(', edited').waitFor();

    await page.getByRole('combobox', { name: 'Kind of event' }).selectOption('Notes');
    await timeline.getByText('Bought Name of pro_monthly').waitFor({ state: 'detached' });
    expect(await timeline.getByRole('listitem').count()).toBe(2);

    const other = timeline.getByRole('listitem').filter({ hasText: 'Imported' });
    await other.getByRole('button', { name: 'Actions for the note' }).click();
    const item = page.getByRole('menuitem', { name: /Edit/ });
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Note deleted').waitFor();
    await other.waitFor({ state: 'detached' });
    expect(await notesOf('nora')).toMatchObject([{ text: 'Has the yearly plan.' }]);
  });

  it('lets a viewer read notes only', async () => {
    const page = await dashboard.open(customer('nora'), await dashboard.member('viewer'));
    await page.getByText('Note by').first().waitFor();
    const add = page.getByRole('button', { name: 'Add note' });
    expect(await add.getAttribute('aria-disabled')).toBe('true');
  });
});
