import type { Page } from 'playwright-core';
import type { Json } from '../../support/api-client.js';
import { sellSubscription } from '../../support/sales.js';
import { describeInBrowser } from '../chromium.js';
import { expectAccessible } from './accessibility.js';
import { useDashboard } from './dashboard.js';
import { settled, shoot } from './screenshots.js';

const ANONYMOUS = `$RCAnonymousID:${'0123456789abcdef'.repeat(2)}`;
const HOSTILE = '<img src=x onerror=alert(1)>\u202egpj.exe';

describeInBrowser('customers in the dashboard', () => {
  const dashboard = useDashboard();

  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await dashboard.store.backend.post(`${dashboard.store.path}${path}`, body);
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const buy = (appUserId: string, more: object = {}) =>
    post('/test_purchases', { app_user_id: appUserId, product_id: 'pro_monthly', ...more });
  const grant = (appUserId: string) =>
    post(`/customers/${encodeURIComponent(appUserId)}/actions/grant_entitlement`, {
      entitlement_id: dashboard.store.entitlements.pro.id,
      expires_at: dashboard.server.clock.nowMs() + 30 * 86_400_000,
    });
  const customer = (id: string) => dashboard.path(`customer?id=${encodeURIComponent(id)}`);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const act = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  it('finds them by whatever a person sent', async () => {
    const ids = [ANONYMOUS, '12345', '1e5', '%2F', '🦄', 'a b&c=d?e#f', '+'];
    for (const id of ids) await post('/customers', { id });
    await post('/customers', {
      id: 'ada',
      attributes: [{ name: '$email', value: 'ada@example.com' }],
    });
    const { store_transaction_id: order } = await buy('grace');
    const page = await dashboard.open(dashboard.path('customers'));
    const sought: [string, string, string?][] = [
      ...ids.map((id): [string, string] => [id, id]),
      ['Ada@Example.com', 'ada', 'ada@example.com'],
      [order as string, 'grace'],
    ];
    for (const [typed, id, title = id] of sought) {
      await page.getByRole('textbox', { name: 'Find a customer' }).fill(typed);
      await page.getByRole('textbox', { name: 'Find a customer' }).press('Enter');
      await heading(page, title).waitFor();
      expect(new URL(page.url()).searchParams.get('id')).toBe(id);
      await page.getByRole('link', { name: 'Customers' }).first().click();
      await heading(page, 'Customers').waitFor();
    }
    for (const typed of ['a/b', '..', 'missing']) {
      await page.goto(`${dashboard.url}${dashboard.path('customers')}?q=${encodeURIComponent(typed)}`);
      await page.getByRole('heading', { name: `No customer found for ${typed}` }).waitFor();
      expect(await page.getByRole('button', { name: 'Restore by order id' }).count()).toBe(0);
    }
    await page.goto(`${dashboard.url}${dashboard.path('customers')}?q=GPA.3312-4512-1100-55923`);
    await page.getByRole('button', { name: 'Restore by order id' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Order or transaction id' }).inputValue()).toBe(
      'GPA.3312-4512-1100-55923',
    );
    await expectAccessible(page);
  });

  it('creates links to web purchases; a link is shown once, mailed again and revoked', async () => {
    // A wrong address, no mail server, and the page of the revoked link.
    for (const status of [400, 422, 404]) dashboard.expectProblem(new RegExp(`status of ${status}`));
    await buy('web-buyer');
    // A store on the web is not to be had here.
    await dashboard.server.dataSource.query(
      `UPDATE subscriptions SET store = 'stripe' WHERE customer_id = (
         SELECT customer_id FROM customer_aliases WHERE app_user_id = 'web-buyer')`,
    );
    await post('/redemption_settings', { enabled: 'production' });
    const page = await dashboard.open(`${customer('web-buyer')}&tab=links`);
    await page.getByRole('button', { name: 'Create a link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('nobody');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    await dialog.getByText('email must be an email address.').waitFor();
    await dialog.getByLabel('Email address').fill('ada@example.com');
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    const shown = await dialog.getByRole('region', { name: 'Link for emails and pages' }).innerText();
    expect(shown).toMatch(/\/redeem\/rdm_[\w-]{43}/);
    const token = /rdm_[\w-]{43}/.exec(shown)?.[0] ?? '';
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole('row').filter({ hasText: 'a***@e*****.com' });
    await row.getByText('Active').waitFor();
    await row.getByRole('button', { name: /^Send a new link/ }).click();
    await page.getByRole('alert').getByText('This server has no mail server.').waitFor();

    const landing = await dashboard.newPage(null);
    await landing.goto(`${dashboard.url}/redeem/${token}`);
    await landing.getByRole('link', { name: /^Open in/ }).waitFor();
    await landing.getByRole('img', { name: /^QR code/ }).waitFor();
    await expectAccessible(landing);
    await landing.setViewportSize({ width: 360, height: 740 });
    await landing.getByRole('img', { name: /^QR code/ }).waitFor({ state: 'hidden' });

    await row.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await landing.reload();
    await landing.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    await expectAccessible(landing);
  });

  it('finds them from every page, with their access, or shows what was tried', async () => {
    await post('/customers', { id: 'lookup-none' });
    await buy('lookup-pro');
    const page = await dashboard.open(dashboard.path('apps'));
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const typed = dialog.getByRole('combobox');
    await page.keyboard.press('/');
    await typed.fill('lookup-none');
    await dialog.getByRole('option', { name: /lookup-none Customer, no access/ }).waitFor();
    await typed.fill('lookup-pro');
    await dialog.getByRole('option', { name: /lookup-pro Customer, pro/ }).waitFor();
    await expectAccessible(page);
    await typed.fill('GPA.3312-4512-1100-55924');
    await dialog.getByRole('option', { name: /^No customer for GPA/ }).waitFor();
    await expectAccessible(page);
    await typed.press('Enter');
    await page.getByRole('button', { name: 'Restore by order id' }).waitFor();
  });

  it('reports them as missing at their address, without a call that a browser folds', async () => {
    const page = await dashboard.open(customer('..'));
    await page.getByText('No customer has this app user id').waitFor();
    dashboard.expectProblem(/status of 404/);
    await page.goto(dashboard.url + customer('no such person'));
    await page.getByText('No customer has this app user id').waitFor();
  });

  describe('say why they have or lack access', () => {
    const causes: [string, (id: string) => Promise<unknown>, RegExp][] = [
      ['purchase', (id) => buy(id), /^Bought Name of pro_monthly on /],
      ['renewal', (id) => buy(id, { scenario: 'renewal' }), /^Name of pro_monthly renewed on /],
      [
        'product_change',
        (id) => buy(id, { scenario: 'product_change', new_product_id: 'pro_yearly' }),
        /^Changed to Name of pro_yearly on /,
      ],
      [
        'grace_period',
        (id) => buy(id, { scenario: 'billing_issue' }),
        /^The store could not charge the customer on .* The grace period lasts until /,
      ],
      ['billing_issue', (id) => buy(id, { scenario: 'billing_issue_no_grace' }), /The store keeps trying\.$/],
      ['refund', (id) => buy(id, { scenario: 'refund' }), /^Name of pro_monthly was refunded on /],
      [
        'refund_reversal',
        (id) => buy(id, { scenario: 'refund_reversed' }),
        /^The store reversed the refund of Name of pro_monthly on /,
      ],
      ['expiry', (id) => buy(id, { scenario: 'expire' }), /^Name of pro_monthly expired on /],
      [
        'transfer',
        async (id) => {
          await buy(`${id}_before`);
          dashboard.server.clock.advanceMs(60_000);
          await post(`/customers/${id}_before/actions/transfer`, { target_customer_id: id });
        },
        /^Name of pro_monthly came from another customer on /,
      ],
      [
        'transfer_away',
        (id) => buy(id, { scenario: 'transfer', transfer_to: `${id} after` }),
        /moved to another customer on /,
      ],
      [
        'grant',
        async (id) => {
          await post('/customers', { id });
          await grant(id);
        },
        /^Granted on .* Free of charge\.$/,
      ],
      [
        'grant_revocation',
        async (id) => {
          await post('/customers', { id });
          await grant(id);
          dashboard.server.clock.advanceMs(60_000);
          await post(`/customers/${id}/actions/revoke_granted_entitlement`, {
            entitlement_id: dashboard.store.entitlements.pro.id,
          });
        },
        /^The grant was revoked on /,
      ],
      [
        'block',
        async (id) => {
          await buy(id);
          await post('/blocked_customers', { app_user_id: id, note: 'Chargeback' });
        },
        /^The customer has been blocked since /,
      ],
    ];

    it('explains in a sentence', async () => {
      const page = await dashboard.open(dashboard.path('customers'));
      const unsaid: [string, string | null][] = [];
      for (const [cause, arrange, sentence] of causes) {
        const id = `because_${cause}`;
        await arrange(id);
        await page.goto(dashboard.url + customer(id));
        const card = page.getByRole('article', { name: 'pro', exact: true });
        await card.waitFor();
        const text = await card.getByRole('paragraph').first().textContent();
        if (!sentence.test(text ?? '')) unsaid.push([cause, text]);
      }
      expect(unsaid).toEqual([]);
    });
  });

  it('opens with at most eight calls, and explains in plain words', async () => {
    await buy('mary', { scenario: 'renewal', offset_days: 40 });
    const page = await dashboard.newPage();
    const calls: string[] = [];
    page.on('request', (request) => {
      if (/\/(v2|auth)\//.test(request.url())) calls.push(request.url());
    });
    await page.goto(dashboard.url + customer('mary'));
    await page
      .getByRole('button', { name: /Renewed Name of pro_monthly/ })
      .first()
      .waitFor();
    await settled(page);
    expect(calls.length).toBeLessThanOrEqual(8);
    await page
      .getByRole('button', { name: /Renewed Name of pro_monthly/ })
      .first()
      .click();
    await page.getByText('At the store', { exact: true }).waitFor();
    await page.getByText('Recorded', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('event')).not.toBeNull();
    await expectAccessible(page);
    await shoot(page, 'customer');
    await page.getByRole('combobox', { name: 'Kind of event' }).selectOption('Identity');
    await page.getByText('None of the loaded events match.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Show all events' }).click();
    await page.getByRole('button', { name: /Bought Name of pro_monthly/ }).waitFor();
  });

  it('names the bundle that sells a subscription', async () => {
    await buy('bundled');
    // The Test Store sells no bundles.
    await dashboard.server.dataSource.query(
      `UPDATE subscriptions SET facts = jsonb_set(facts::jsonb,
         ARRAY['periods', (SELECT json_object_keys(facts -> 'periods') LIMIT 1), 'value', 'bundle'], $1::jsonb)
       WHERE customer_id = (SELECT customer_id FROM customer_aliases WHERE app_user_id = 'bundled')`,
      [{ storeProductId: HOSTILE, previousKey: null }],
    );
    const page = await dashboard.open(`${customer('bundled')}&tab=subscriptions`);
    const card = page.getByRole('article', { name: 'Name of pro_monthly', exact: true });
    await card.getByText('Part of the bundle').waitFor();
    expect(await card.getByText('Part of the bundle').textContent()).toContain('<img src=x');
    await expectAccessible(page);
    await shoot(page, 'customer-bundle');
  });

  it('shows imported data in the access card and in the timeline', async () => {
    const nowMs = dashboard.server.clock.nowMs();
    const day = 86_400_000;
    const price = { amount: 9.99, currency: 'USD' };
    await post('/import/customers', {
      as_of: nowMs - day,
      customers: [
        {
          id: 'moved',
          subscriptions: [
            {
              app_id: dashboard.store.appId,
              store: 'test_store',
              product_identifier: 'pro_monthly',
              starts_at: nowMs - 65 * day,
              current_period_starts_at: nowMs - 35 * day,
              current_period_ends_at: nowMs - 5 * day,
              status: 'expired',
              store_subscription_identifier: 'moved_1',
              transactions: [
                { id: 'a', purchased_at: nowMs - 65 * day, price },
                { id: 'b', purchased_at: nowMs - 35 * day, price },
              ],
            },
          ],
        },
      ],
    });
    const page = await dashboard.open(customer('moved'));
    const card = page.getByRole('article', { name: 'pro', exact: true });
    await card.getByText(/^Name of pro_monthly expired on /).waitFor();
    await card.getByText(/^Known from the import of .* \(state of .*\)\.$/).waitFor();
    const timeline = page.getByRole('region', { name: 'Events, newest first' });
    const items = timeline.getByRole('listitem');
    await items.nth(3).waitFor();
    const sentences = await items.allTextContents();
    expect(sentences.map((text) => text.replace(/^.*?[AP]M|^\d\d:\d\d/, ''))).toEqual([
      'Imported into this projectimported',
      'Name of pro_monthly expiredimported',
      'Renewed Name of pro_monthlyimported$9.99',
      'Bought Name of pro_monthlyimported$9.99',
    ]);
    await expectAccessible(page);
  });

  it('names the request that asked for a transfer', async () => {
    await buy('giver');
    dashboard.server.clock.advanceMs(60_000);
    await post('/customers/giver/actions/transfer', { target_customer_id: 'taker' });
    const page = await dashboard.open(customer('taker'));
    await page.getByRole('button', { name: /Purchases moved from giver to taker/ }).click();
    const requests = page.getByRole('list', { name: 'Ownership history' });
    await requests.getByText(/transferred by an administrator/).waitFor();
    await requests.getByText('Request id').waitFor();
    await expectAccessible(page);
  });

  it('grants them access and takes it back', async () => {
    await post('/customers', { id: 'nina' });
    const page = await dashboard.newPage();
    await page.clock.install();
    await page.goto(dashboard.url + customer('nina'));
    await page.getByText('This customer has never had an entitlement.').waitFor();
    await act(page, 'Grant an entitlement');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The customer gets access at once').waitFor();
    await dialog.getByRole('button', { name: 'Grant access' }).click();
    await dialog.getByText('Choose an entitlement', { exact: true }).last().waitFor();
    await dialog.getByRole('combobox', { name: 'Entitlement' }).selectOption('pro (Pro)');
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption('1 year');
    await dialog.getByRole('button', { name: 'Show the API call' }).click();
    await dialog.getByText('actions/grant_entitlement').waitFor();
    await expectAccessible(page);
    await shoot(page, 'customer-grant');
    await dialog.getByRole('button', { name: 'Grant access' }).click();
    const card = page.getByRole('article', { name: 'pro', exact: true });
    await card.getByText('Has access').waitFor();
    dashboard.server.clock.advanceMs(60_000);
    const audit = page.getByRole('link', { name: 'Show the audit entry' });
    expect(await audit.getAttribute('href')).toContain('customer=nina');
    // The way back stays until it is closed, on other pages too.
    await page.clock.fastForward('10:00');
    await page.getByRole('navigation').getByRole('link', { name: 'Customers', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await page.goBack();
    await card.getByText('Has access').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.getByText('The grant was revoked').waitFor();

    await card.getByRole('button', { name: 'Grant' }).click();
    await dialog.getByRole('button', { name: 'Grant access' }).click();
    await card.getByText('Has access').waitFor();
    // An Undo that the server does not take is said on the page, too.
    dashboard.expectProblem(/status of 503/);
    const error = { object: 'error', type: 'server_error', message: 'Busy just now.', retryable: true };
    await page.route(/actions\/revoke_granted_entitlement/, (route) =>
      route.fulfill({ status: 503, json: error }),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('main').getByRole('alert').getByText('Busy just now.').waitFor();
    await page.getByRole('alertdialog').getByText('Busy just now.').waitFor();
    await expectAccessible(page);
    await page.unroute(/actions\/revoke_granted_entitlement/);
    await card.getByRole('button', { name: 'Revoke grant' }).click();
    await dialog.getByRole('button', { name: 'Revoke grant' }).click();
    await card.getByText('No access', { exact: true }).waitFor();
  });

  it('refunds them once; the second time the server says why not, and the dialog stays', async () => {
    await buy('otto');
    const page = await dashboard.open(customer('otto'));
    const refund = async () => {
      await page
        .getByRole('article', { name: 'pro_monthly' })
        .getByRole('button', { name: 'Refund' })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: /The latest payment/ }).waitFor();
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
      return dialog;
    };
    await refund();
    await page.getByRole('article', { name: 'pro', exact: true }).getByText('was refunded on').waitFor();
    dashboard.expectProblem(/status of 422/);
    const dialog = await refund();
    const words = await dialog.getByRole('alert').textContent();
    expect(words).toMatch(/refunded/i);
    await page.keyboard.press('Escape');
    await page.getByRole('article', { name: 'pro_monthly' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Test Store: The Test Store does this').waitFor();
  });

  it('transfers purchases to another customer, with both in view', async () => {
    await buy('paula');
    await buy('quentin', { product_id: 'pro_lifetime' });
    const page = await dashboard.open(customer('paula'));
    await act(page, 'Transfer purchases');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Transfer to (app user id)' }).fill('quentin');
    await page.keyboard.press('Tab');
    await dialog.getByRole('region', { name: 'From' }).getByText('1 subscription, 0 purchases').waitFor();
    await dialog.getByRole('region', { name: 'To' }).getByText('0 subscriptions, 1 purchase').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    const card = page.getByRole('article', { name: 'pro', exact: true });
    await card.getByText('moved to another customer').waitFor();
    await card.getByRole('link', { name: 'quentin' }).click();
    await heading(page, 'quentin').waitFor();
    await page.getByRole('button', { name: /Purchases moved from paula to quentin/ }).waitFor();
  });

  it('blocks them with a note, and unblocks them', async () => {
    await buy('rosa');
    const page = await dashboard.open(customer('rosa'));
    await act(page, 'Block');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Note for the team' }).fill('Chargeback on 3 Nov');
    await dialog.getByRole('button', { name: 'Block customer' }).click();
    const note = page.getByRole('region', { name: 'Blocked' });
    await note.getByText('Chargeback on 3 Nov').waitFor();
    await page.getByText('The customer has been blocked since').waitFor();
    await expectAccessible(page);
    await note.getByRole('button', { name: 'Unblock' }).click();
    await dialog.getByRole('button', { name: 'Unblock customer' }).click();
    await note.waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'pro', exact: true }).getByText('Has access').waitFor();
  });

  it('shows attributes as text, edited in place', async () => {
    await post('/customers', { id: 'sam', attributes: [{ name: 'remark', value: HOSTILE }] });
    const page = await dashboard.open(customer('sam'));
    await page.getByText('<img src=x onerror=alert(1)>\\u202egpj.exe').waitFor();
    await page.getByRole('button', { name: 'Add attribute' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('plan');
    await page.getByRole('textbox', { name: 'Value' }).fill('gold');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('listitem').filter({ hasText: 'plangold' }).waitFor();
    await page.getByRole('button', { name: 'Delete plan' }).click();
    await page.getByRole('button', { name: 'Delete plan' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await shoot(page, 'customer-attributes');
  });

  it('creates them, and deletes them after typing the id', async () => {
    const page = await dashboard.open(dashboard.path('customers'));
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'App user id' }).fill('tom & co');
    await page.getByRole('dialog').getByRole('button', { name: 'Create customer' }).click();
    await heading(page, 'tom & co').waitFor();
    await act(page, 'Delete customer');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('tom');
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await dialog.getByText('Type tom & co exactly.').waitFor();
    await dialog.getByRole('textbox').fill('tom & co');
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await heading(page, 'Customers').waitFor();
    await page.getByRole('table', { name: 'Customers' }).waitFor();
    expect(await page.getByRole('link', { name: 'tom & co' }).count()).toBe(0);
  });

  it('lists them with what they have, and saves them as CSV', async () => {
    await buy('=cmd()');
    const page = await dashboard.open(dashboard.path('customers'));
    const row = page.getByRole('row').filter({ hasText: '=cmd()' });
    await row.getByText('pro', { exact: true }).waitFor();
    await expectAccessible(page);
    await shoot(page, 'customers');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain("'=cmd(),,,never_bought,");
  });

  it('shows the seats of a buyer and of a member', async () => {
    const { server, store, projectId } = dashboard;
    const sell = async (appUserId: string, ownership: 'purchased' | 'assigned'): Promise<void> => {
      await post('/customers', { id: appUserId });
      const [row] = await server.dataSource.query(
        'SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2',
        [projectId, appUserId],
      );
      const startMs = server.clock.nowMs() - 86_400_000;
      const period = { startMs, endMs: startMs + 30 * 86_400_000, amountMicros: 699_500_000 };
      await sellSubscription(server, {
        projectId,
        appId: store.appId,
        storeProductId: 'pro_monthly',
        customerId: row.customer_id,
        ownership,
        periods: [period],
        seats: { quantity: 50, next: 40 },
      });
    };
    await sell('seats-buyer', 'purchased');
    await sell('seats-member', 'assigned');
    const page = await dashboard.open(`${customer('seats-buyer')}&tab=subscriptions`);
    const card = page.getByRole('tabpanel').getByRole('article');
    await card.getByText('50 (40 at the next renewal)').waitFor();
    expect(await card.getByRole('term').allInnerTexts()).toContain('Seats');
    await expectAccessible(page);
    await shoot(page, 'customer-seats');
    await page.goto(`${dashboard.url}${customer('seats-member')}&tab=subscriptions`);
    await card.getByText('Paid by someone else').waitFor();
    expect(await card.getByRole('term').allInnerTexts()).toContain('Seat of a group');
    expect(await card.getByText('Family Sharing').count()).toBe(0);
    await shoot(page, 'customer-seat-of-a-group');
  });

  it('shows them to a viewer read-only', async () => {
    await buy('uma');
    const viewer = await dashboard.member('viewer');
    const page = await dashboard.newPage(viewer);
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
    });
    await page.goto(dashboard.url + customer('uma'));
    await page.getByRole('article', { name: 'pro', exact: true }).getByText('Has access').waitFor();
    for (const name of ['Refund', 'Cancel', 'Extend', 'Grant']) {
      const button = page.getByRole('button', { name, exact: true }).first();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.click({ force: true });
    }
    await page.getByRole('button', { name: 'Actions' }).click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    for (let index = 0; index < (await items.count()); index++) {
      const item = items.nth(index);
      if (/Export/.test((await item.textContent()) ?? '')) continue;
      expect(await item.getAttribute('aria-disabled')).toBe('true');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add attribute' }).click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(writes).toEqual([]);
  });
});
