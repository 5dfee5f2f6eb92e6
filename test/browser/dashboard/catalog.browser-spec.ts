import type { Json } from '../../support/api-client.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { shoot } from './screenshots.js';

describeInBrowser('the catalog in the dashboard', () => {
  const dashboard = useDashboard();

  it('makes an offering with two packages that SDKs then get', async () => {
    const page = await dashboard.open(dashboard.path('catalog/offerings'));
    await page.getByRole('button', { name: 'New offering' }).click();
    const dialog = page.getByRole('dialog');

    await dialog.getByLabel('Lookup key').fill('default');
    await dialog.getByLabel('Name').fill('Spring sale');
    dashboard.expectProblem(/status of 409/);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('The project already has an offering "default".').waitFor();
    expect(await dialog.getByLabel('Lookup key').getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Spring sale');
    await expectAccessible(page);
    await dialog.getByLabel('Lookup key').fill('spring');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Spring sale' }).waitFor();

    for (const [label, product] of [
      ['Monthly', 'pro_monthly'],
      ['Annual', 'pro_yearly'],
    ] as const) {
      await page.getByRole('button', { name: 'Add package' }).click();
      await dialog.getByRole('button', { name: 'Add package' }).click();
      await page.getByRole('button', { name: `Attach a product to ${label}` }).click();
      await dialog.getByLabel('Product').selectOption({ label: `${product} (Name of ${product})` });
      await dialog.getByRole('button', { name: 'Attach' }).click();
      await page.getByRole('button', { name: `Detach ${product}` }).waitFor();
    }

    await page.getByRole('button', { name: 'Move Annual up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Annual is now number 1 of 2').waitFor({ state: 'attached' });

    await page.getByRole('button', { name: 'Edit metadata' }).click();
    await dialog.getByLabel('JSON object').fill('{"color": ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/This is not JSON/).waitFor();
    await dialog.getByLabel('JSON object').fill('{"color": "blue"}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Make current' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make current' }).click();
    await page.getByRole('main').getByText('Current', { exact: true }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'offering');

    const answer = await dashboard.store.sdk.get('/v1/subscribers/ada/offerings');
    const spring = {
      identifier: 'spring',
      description: 'Spring sale',
      metadata: { color: 'blue' },
      packages: [
        { identifier: '$rc_annual', platform_product_identifier: 'pro_yearly' },
        { identifier: '$rc_monthly', platform_product_identifier: 'pro_monthly' },
      ],
    };
    expect(answer.body.current_offering_id).toBe('spring');
    expect(answer.body.offerings).toContainEqual(spring);
    const shown = await page.getByRole('region', { name: 'What an SDK gets' }).last().innerText();
    expect(JSON.parse(shown)).toEqual(spring);
  });

  it('lets the keyboard say what unlocks an entitlement', async () => {
    const page = await dashboard.open(dashboard.path('catalog/entitlements?view=matrix'));
    const boxes = page.getByRole('checkbox');
    await boxes.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await boxes.nth(2).evaluate((box) => box.matches(':focus'))).toBe(true);
    const coins = page.getByRole('checkbox', { name: 'Name of coins_100 unlocks pro' });
    // The address contains the search.
    await page.getByLabel('Find products').pressSequentially('coins');
    await page.waitForURL(/[?&]find=coins/);
    await page.reload();
    await coins.waitFor();
    expect(await page.getByRole('checkbox', { name: /^Name of pro_monthly unlocks/ }).count()).toBe(0);
    await page.getByLabel('Find products').fill('');
    await page
      .getByRole('checkbox', { name: /^Name of pro_monthly unlocks/ })
      .first()
      .waitFor();
    await coins.focus();
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: 'Name of coins_100 unlocks pro', checked: true }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'matrix');

    const products = async () => {
      const { id } = dashboard.store.entitlements.pro;
      const answer = await dashboard.store.backend.get(`${dashboard.store.path}/entitlements/${id}/products`);
      return answer.body.items.map((product: { store_identifier: string }) => product.store_identifier);
    };
    await page.getByRole('checkbox', { name: 'Name of coins_100 unlocks pro', disabled: false }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await products()).toContain('coins_100');
    await coins.focus();
    await page.keyboard.press('Space');
    const asked = page.getByRole('alertdialog');
    await asked.getByText(/lose access/).waitFor();
    expect(await products()).toContain('coins_100');
    await asked.getByRole('button', { name: 'Detach' }).click();
    await page.getByRole('checkbox', { name: 'Name of coins_100 unlocks pro', checked: false }).waitFor();
    expect(await products()).not.toContain('coins_100');
  });

  it('orders packages by dragging, and by keyboard', async () => {
    const { backend, path } = dashboard.store;
    const made = await backend.post(`${path}/offerings`, { lookup_key: 'sorted', display_name: 'Sorted' });
    const packages = `${path}/offerings/${made.body.id}/packages`;
    for (const name of ['One', 'Two', 'Three']) {
      await backend.post(packages, { lookup_key: name.toLowerCase(), display_name: name });
    }
    const order = async (): Promise<string[]> =>
      (await backend.get(packages)).body.items.map((item: { display_name: string }) => item.display_name);
    const page = await dashboard.open(dashboard.path(`catalog/offerings/${made.body.id}`));
    const rows = page.getByRole('list', { name: 'Packages' }).locator('> li');
    await rows.filter({ hasText: 'Three' }).dragTo(rows.filter({ hasText: 'One' }));
    await page.getByText('Three is now number 1 of 3').waitFor({ state: 'attached' });
    expect(await order()).toEqual(['Three', 'One', 'Two']);

    await page.getByRole('button', { name: 'Move Three down' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Three is now number 2 of 3').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Move Three down' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Three is now number 3 of 3').waitFor({ state: 'attached' });
    expect(await order()).toEqual(['One', 'Two', 'Three']);
  });

  it('makes, edits and archives a currency', async () => {
    const page = await dashboard.open(dashboard.path('catalog/currencies'));
    await page.getByRole('button', { name: 'New currency' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('a b');
    await dialog.getByLabel('Name').fill('Gems');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const code = dialog.getByLabel('Code').and(page.locator('[aria-invalid=true]'));
    await code.waitFor();
    await expectAccessible(page);
    await code.fill('GEM');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for GEM' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Name').fill('Rubies');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Rubies' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'currencies');
    await page.getByRole('button', { name: 'Actions for GEM' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Rubies' }).waitFor({ state: 'detached' });
    const { body } = await dashboard.store.backend.get(`${dashboard.store.path}/virtual_currencies/GEM`);
    expect(body).toMatchObject({ name: 'Rubies', state: 'inactive' });
  });

  it('says which products credit a currency, by the keyboard too', async () => {
    const { store } = dashboard;
    const { body: monthly } = await store.backend.get(`${store.path}/products?limit=100`);
    const idOf = (key: string): string =>
      monthly.items.find((item: Json) => item.store_identifier === key).id as string;
    const page = await dashboard.open(dashboard.path('catalog/currencies'));
    await page.getByRole('button', { name: 'New currency' }).first().click();
    const dialog = page.getByRole('dialog');
    const grant = (place: number) => dialog.getByRole('group', { name: `Grant ${place}`, exact: true });
    await dialog.getByLabel('Code').fill('STAR');
    await dialog.getByLabel('Name', { exact: true }).fill('Stars');
    await dialog.getByRole('button', { name: 'Add grant' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Choose at least one product.').waitFor();
    expect(await page.locator(':focus').getAttribute('placeholder')).toContain('Search by name');

    await page.keyboard.type('Pro_M');
    await grant(1).getByRole('checkbox', { name: 'pro_yearly' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await grant(1).getByText('1 product chosen').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('100');
    await grant(1).getByLabel('Amount in a trial').fill('7');
    await grant(1).getByLabel('Expires at the end of the cycle').check();

    // The server's own errors stand at the field they name, and what was typed stays.
    await dialog.getByRole('button', { name: 'Add grant' }).click();
    await grant(2)
      .getByRole('checkbox', { name: /coins_100/ })
      .check();
    await grant(2).getByLabel('Amount', { exact: true }).fill('5');
    await page.route('**/virtual_currencies', (route) =>
      route.fulfill({
        status: 400,
        json: {
          object: 'error',
          type: 'parameter_error',
          param: 'product_grants.1.amount',
          message: 'Too much of it.',
          retryable: false,
        },
      }),
    );
    dashboard.expectProblem(/status of 400/);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await grant(2).getByText('Too much of it.').waitFor();
    expect(await page.locator(':focus').inputValue()).toBe('5');
    expect(await grant(1).getByLabel('Amount', { exact: true }).inputValue()).toBe('100');
    await page.unroute('**/virtual_currencies');
    await page.setViewportSize({ width: 360, height: 740 });
    await expectAccessible(page);
    expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    await shoot(page, 'currency-grants');
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Stars/ }).getByRole('cell', { name: '2 products' }).waitFor();
    const stars = async () => (await store.backend.get(`${store.path}/virtual_currencies/STAR`)).body;
    const first = { product_ids: [idOf('pro_monthly')], amount: 100, trial_amount: 7 };
    expect((await stars()).product_grants).toMatchObject([
      { ...first, expire_at_cycle_end: true },
      { product_ids: [idOf('coins_100')], amount: 5, trial_amount: 0, expire_at_cycle_end: false },
    ]);

    await page.getByRole('button', { name: 'Actions for STAR' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(
      await grant(1)
        .getByRole('checkbox', { name: /pro_monthly/ })
        .isChecked(),
    ).toBe(true);
    await grant(1)
      .getByRole('checkbox', { name: /pro_yearly/ })
      .check();
    await grant(2).getByRole('button', { name: 'Remove grant 2' }).click();
    expect(await page.locator(':focus').innerText()).toBe('Add grant');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await stars()).product_grants).toMatchObject([
      { ...first, product_ids: [idOf('pro_monthly'), idOf('pro_yearly')].sort() },
    ]);
  });

  it('sets how long rentals of a Google Play product unlock', async () => {
    const { backend, path } = dashboard.store;
    const play_store = { package_name: 'com.example.rentals' };
    const { body: app } = await backend.post(`${path}/apps`, {
      name: 'Rentals',
      type: 'play_store',
      play_store,
    });
    const movie = { app_id: app.id, store_identifier: 'movie_1', type: 'one_time' };
    const { body: product } = await backend.post(`${path}/products`, movie);
    const page = await dashboard.open(dashboard.path(`catalog/products/${product.id}`));
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const length = dialog.getByLabel('Access length');
    await length.fill('two days');
    dashboard.expectProblem(/status of 400/);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('subscription.duration must be an ISO 8601 duration such as P1M.').waitFor();
    expect(await length.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await length.fill('P2D');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body: saved } = await backend.get(`${path}/products/${product.id}`);
    expect(saved.subscription).toEqual({ duration: 'P2D' });
  });

  it('shows the prices of a product in all currencies', async () => {
    const { backend, path, appId } = dashboard.store;
    const { body: product } = await backend.post(`${path}/products`, {
      store_identifier: 'pro_everywhere',
      app_id: appId,
      type: 'subscription',
    });
    const prices = [
      { amount_micros: 11_990_000, currency: 'USD' },
      { amount_micros: 9_490_000, currency: 'EUR' },
      { amount_micros: 1_490_000_000, currency: 'JPY' },
    ];
    await backend.post(`${path}/products/${product.id}/test_store_prices`, { prices });
    const page = await dashboard.open(dashboard.path(`catalog/products/${product.id}`));
    await page.getByText('In other currencies').waitFor();
    for (const amount of ['$11.99', '€9.49', '¥1,490']) await page.getByText(amount).waitFor();
    await shoot(page, 'product-prices');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Test price').fill('');
    await dialog.getByText('Without a test price, the product also loses its prices in').waitFor();
    await dialog.getByRole('button', { name: 'Remove all prices' }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'product-prices-removed');
    await dialog.getByLabel('Test price').fill('12.99');
    await dialog.getByRole('button', { name: 'Save' }).click();
    for (const amount of ['$12.99', '€9.49']) await page.getByText(amount).waitFor();
  });

  it('archives the selected products, and continues after one that fails', async () => {
    const made = await Promise.all(
      ['a', 'b', 'c'].map((letter) =>
        dashboard.store.backend.post(`${dashboard.store.path}/products`, {
          app_id: dashboard.store.appId,
          store_identifier: `bulk_${letter}`,
          type: 'consumable',
        }),
      ),
    );
    const page = await dashboard.open(dashboard.path('catalog/products'));
    for (const { body } of made) await page.getByRole('checkbox', { name: `Select ${body.id}` }).check();
    await dashboard.store.backend.delete(`${dashboard.store.path}/products/${made[1]!.body.id}`);
    dashboard.expectProblem(/status of 404/);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    const strip = page.getByRole('region', { name: 'Work in progress' });
    await strip.getByText('3 of 3 · 1 failed').waitFor();
    await strip.getByRole('button', { name: 'Show failures' }).click();
    await strip
      .getByRole('listitem')
      .filter({ hasText: /^bulk_b: .+/ })
      .waitFor();
    for (const letter of ['a', 'b', 'c']) {
      await page.getByRole('link', { name: `bulk_${letter}` }).waitFor({ state: 'detached' });
    }
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Archived');
    await page.getByRole('link', { name: 'bulk_a' }).waitFor();
    await page.getByRole('link', { name: 'bulk_c' }).waitFor();
    expect(await page.getByRole('link', { name: 'bulk_b' }).count()).toBe(0);
    await shoot(page, 'products-archived');

    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 2 products?' });
    await question.getByText(/no longer unlock anything/).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText('Type 2 exactly.').waitFor();
    await question.getByRole('textbox').fill('2');
    await question.getByRole('button', { name: 'Delete' }).click();
    await strip.getByText('Done · 2 of 2', { exact: true }).waitFor();
    for (const index of [0, 2]) {
      const { status } = await dashboard.store.backend.get(
        `${dashboard.store.path}/products/${made[index]!.body.id}`,
      );
      expect(status).toBe(404);
    }
  });

  it('shows a viewer everything, with the reason why nothing can be changed', async () => {
    const page = await dashboard.open(dashboard.path('catalog/offerings'), await dashboard.member('viewer'));
    await page.getByRole('link', { name: 'The default' }).click();
    for (const name of ['Add package', 'Move $rc_annual up', 'Detach pro_monthly', 'Edit metadata']) {
      const button = page.getByRole('button', { name });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      const reason = await button.getAttribute('data-tip');
      expect(reason).toContain('read_write');
    }
  });
});
