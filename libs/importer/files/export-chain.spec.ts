import { renewal } from '../testing/export-rows.js';
import { csv, imported, TestFiles } from '../testing/test-files.js';

const NOW = Date.parse('2026-06-15T00:00:00Z');
const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);

describe('purchases of the transaction export', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  async function read(rows: Record<string, string>[], separator = ',') {
    return imported('export', [await files.write(csv(rows, separator))], { nowMs: NOW });
  }
  async function subscriptionOf(...rows: Record<string, string>[]) {
    const { customers } = await read(rows);
    expect(customers).toHaveLength(1);
    expect(customers[0]?.subscriptions).toHaveLength(1);
    return customers[0]?.subscriptions?.[0];
  }

  it.each([
    ['active', {}, { status: 'active', auto_renewal_status: 'will_renew' }],
    ['a trial', { is_trial_period: 'true' }, { status: 'trialing', period_type: 'trial' }],
    [
      'an introductory period',
      { is_in_intro_offer_period: 'true' },
      { status: 'active', period_type: 'intro' },
    ],
    [
      'over',
      { end_time: '2026-06-10 00:00:00', effective_end_time: '2026-06-10 00:00:00' },
      { status: 'expired', auto_renewal_status: 'will_not_renew' },
    ],
    [
      'refunded',
      { refunded_at: '2026-06-05 00:00:00', effective_end_time: '2026-06-05 00:00:00', price_in_usd: '0' },
      {
        status: 'expired',
        refunded_at: at('2026-06-05 00:00:00'),
        ends_at: at('2026-06-05 00:00:00'),
        price: { amount: 3.99, currency: 'GBP' },
      },
    ],
    [
      'in its grace period',
      {
        end_time: '2026-06-10 00:00:00',
        grace_period_end_time: '2026-06-26 00:00:00',
        effective_end_time: '2026-06-26 00:00:00',
        billing_issues_detected_at: '2026-06-10 00:00:09',
      },
      {
        status: 'in_grace_period',
        current_period_ends_at: at('2026-06-10 00:00:00'),
        ends_at: at('2026-06-26 00:00:00'),
        grace_period_expires_at: at('2026-06-26 00:00:00'),
        billing_issues_detected_at: at('2026-06-10 00:00:09'),
      },
    ],
    [
      'paused',
      {
        end_time: '2026-06-10 00:00:00',
        effective_end_time: '2026-06-10 00:00:00',
        auto_resume_time: '2026-07-10 00:00:00',
      },
      { status: 'paused', auto_resume_at: at('2026-07-10 00:00:00') },
    ],
    ['shared by a family', { ownership_type: 'FAMILY_SHARED' }, { ownership: 'family_shared' }],
    ['of the sandbox', { is_sandbox: 'true' }, { environment: 'sandbox' }],
  ])('says that a subscription is %s', async (_, change, expected) => {
    expect(await subscriptionOf({ ...renewal, ...change })).toMatchObject(expected);
  });

  it.each([
    ['the price that was paid', {}, { amount: 3.99, currency: 'GBP' }],
    [
      'US dollars where the currency is unknown',
      { purchased_currency: '' },
      { amount: 4.99, currency: 'USD' },
    ],
    [
      'the price after refunds where there is no other',
      { purchase_price_in_purchased_currency: '', price_in_purchased_currency: '2.00' },
      { amount: 2, currency: 'GBP' },
    ],
    [
      'no price where it is unknown',
      {
        purchase_price_in_purchased_currency: '',
        price_in_purchased_currency: '',
        purchase_price_in_usd: '',
        price_in_usd: '',
      },
      null,
    ],
    [
      'no price where a refund has set it to 0',
      {
        refunded_at: '2026-06-05 00:00:00',
        purchase_price_in_purchased_currency: '',
        price_in_purchased_currency: '0',
        purchase_price_in_usd: '',
        price_in_usd: '0',
      },
      null,
    ],
  ])('gives %s', async (_, change, price) => {
    expect((await subscriptionOf({ ...renewal, ...change }))?.price).toEqual(price);
  });

  it('skips orders of Google Play that end before they begin', async () => {
    const play = {
      ...renewal,
      store: 'play_store',
      product_identifier: 'pro:monthly',
      store_transaction_id: 'GPA.1..0',
      original_store_transaction_id: 'GPA.1',
    };
    const unpaid = {
      ...play,
      start_time: '2026-06-14 08:00:00',
      end_time: '2026-06-13 08:00:00',
      store_transaction_id: 'GPA.1..1',
      renewal_number: '3',
    };
    expect(await subscriptionOf(play, unpaid)).toMatchObject({
      store_subscription_identifier: 'GPA.1..0',
      current_period_starts_at: at('2026-06-01 08:00:00'),
      transactions: [{ id: 'GPA.1..0' }],
    });
    const { customers, skipped } = await read([unpaid]);
    expect(customers).toEqual([]);
    expect(skipped).toEqual([
      { kind: 'subscription', id: 'play_store GPA.1', reason: 'every order is void' },
    ]);
  });

  it('knows the payments of Stripe apart though they have one id', async () => {
    const stripe = (renewal_number: string, start_time: string, end_time: string) => ({
      ...renewal,
      store: 'stripe',
      store_transaction_id: 'si_1',
      original_store_transaction_id: 'sub_1',
      renewal_number,
      start_time,
      end_time,
      effective_end_time: end_time,
    });
    const subscription = await subscriptionOf(
      stripe('1', '2026-05-01 00:00:00', '2026-06-01 00:00:00'),
      stripe('2', '2026-06-01 00:00:00', '2026-07-01 00:00:00'),
    );
    expect(subscription).toMatchObject({
      store_subscription_identifier: 'sub_1',
      starts_at: at('2026-05-01 00:00:00'),
      transactions: [{ id: 'si_1' }, { id: 'si_1#2' }],
    });
    expect(subscription).not.toHaveProperty('original_transaction_id');
  });

  it('gives one-time purchases, owned and refunded', async () => {
    const coins = {
      ...renewal,
      is_auto_renewable: 'false',
      product_identifier: 'coins',
      end_time: '',
      effective_end_time: '',
      store_transaction_id: '3001',
      original_store_transaction_id: '3001',
    };
    const { customers } = await read([
      coins,
      {
        ...coins,
        store_transaction_id: '3002',
        original_store_transaction_id: '3002',
        refunded_at: '2026-06-05 00:00:00',
        effective_end_time: '2026-06-05 00:00:00',
      },
    ]);
    expect(customers[0]?.subscriptions).toEqual([]);
    expect(customers[0]?.purchases).toMatchObject([
      {
        app_id: 'app_app_store',
        product_identifier: 'coins',
        purchased_at: at('2026-06-01 08:00:00'),
        store_purchase_identifier: '3001',
        status: 'owned',
      },
      { store_purchase_identifier: '3002', status: 'refunded', refunded_at: at('2026-06-05 00:00:00') },
    ]);
  });

  it('gives grants: with an end, and for a lifetime', async () => {
    const grant = {
      ...renewal,
      store: 'promotional',
      is_auto_renewable: 'false',
      product_identifier: 'rc_promo_pro_monthly',
      end_time: '',
      store_transaction_id: '',
      original_store_transaction_id: '',
    };
    const { customers, skipped } = await read([
      grant,
      { ...grant, product_identifier: 'rc_promo_pro_lifetime', effective_end_time: '' },
      { ...grant, product_identifier: 'rc_promo_pro_yearly', effective_end_time: '' },
      { ...grant, product_identifier: 'rc_promo_x_weekly', entitlement_identifiers: '' },
      { ...grant, product_identifier: 'rc_promo_pro_daily', refunded_at: '2026-06-05 00:00:00' },
    ]);
    const ends = customers[0]?.subscriptions?.map((item) => [
      item.product_identifier,
      item.current_period_ends_at,
    ]);
    expect(new Map(ends as [string, number | null][])).toEqual(
      new Map([
        ['rc_promo_pro_monthly', at('2026-07-01 08:00:00')],
        ['rc_promo_pro_lifetime', null],
      ]),
    );
    for (const item of customers[0]?.subscriptions ?? []) {
      expect(item).toMatchObject({
        store: 'promotional',
        status: 'active',
        entitlement_lookup_keys: ['pro'],
      });
      expect(item).not.toHaveProperty('app_id');
    }
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
      new Set([
        'grant rc_promo_pro_yearly has no end and is not for a lifetime',
        'grant rc_promo_x_weekly names no entitlement',
      ]),
    );
  });
});
