import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { renewal, trial } from '../testing/export-rows.js';
import { csv, imported, TestFiles } from '../testing/test-files.js';

const NOW = Date.parse('2026-06-15T00:00:00Z');
const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);

describe('the transaction export', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  async function read(rows: Record<string, string>[], separator = ',') {
    return imported('export', [await files.write(csv(rows, separator))], { nowMs: NOW });
  }
  it('gives one customer with one subscription for the transactions of it', async () => {
    const { customers, skipped } = await read([renewal, trial]);
    expect(skipped).toEqual([]);
    expect(customers).toEqual([
      {
        id: 'ada',
        aliases: ['$RCAnonymousID:1'],
        first_seen_at: at('2026-01-01 03:00:00'),
        attributes: [],
        subscriptions: [
          {
            app_id: 'app_app_store',
            store: 'app_store',
            product_identifier: 'pro_monthly',
            environment: 'production',
            ownership: 'purchased',
            country: 'GB',
            presented_offering_id: 'default',
            price: { amount: 3.99, currency: 'GBP' },
            refunded_at: null,
            starts_at: at('2026-05-25 08:00:00'),
            current_period_starts_at: at('2026-06-01 08:00:00'),
            current_period_ends_at: at('2026-07-01 08:00:00'),
            status: 'active',
            auto_renewal_status: 'will_renew',
            original_transaction_id: '2001',
            store_subscription_identifier: '2002',
            period_type: 'normal',
            transactions: [
              {
                id: '2001',
                purchased_at: at('2026-05-25 08:00:00'),
                expires_at: at('2026-06-01 08:00:00'),
                product_identifier: 'pro_monthly',
                price: { amount: 0, currency: 'GBP' },
                period_type: 'trial',
              },
              {
                id: '2002',
                purchased_at: at('2026-06-01 08:00:00'),
                expires_at: at('2026-07-01 08:00:00'),
                product_identifier: 'pro_monthly',
                price: { amount: 3.99, currency: 'GBP' },
                period_type: 'normal',
              },
            ],
          },
        ],
        purchases: [],
      },
    ]);
  });

  const version3 = Object.fromEntries(
    Object.entries(renewal)
      .filter(([name]) => !/^(purchase_price|first_seen|updated_at)/.test(name))
      .map(([name, value]) => [name, value === 'true' ? 't' : value === 'false' ? 'f' : value]),
  );
  const attributes = (text: string) => ({ reserved_subscriber_attributes: text });
  const json = '{"$email": {"value": "ada@example.com", "updated_at_ms": 1673097132390}}';
  it.each([
    ['3', { ...version3, ...attributes(json), entitlement_identifiers: '{pro}' }],
    ['4', { ...renewal, ...attributes(json.replaceAll('"', '""')), first_seen_time: '' }],
    ['5', { ...renewal, ...attributes(`"${json.replaceAll('"', '""')}"`), offer: 'x', offer_type: 'intro' }],
    ['6', { ...renewal, ...attributes(json), auto_resume_time: 'null' }],
    ['7', { ...renewal, ...attributes(json), enrolled_experiments: '{"default": {"id": "prexp1"}}' }],
  ])('reads template version %s, with commas and with semicolons', async (_, row) => {
    for (const separator of [',', ';']) {
      const { customers, skipped } = await read([row], separator);
      expect(skipped).toEqual([]);
      expect(customers[0]?.attributes).toEqual([
        { name: '$email', value: 'ada@example.com', updated_at: 1_673_097_132_390 },
      ]);
      expect(customers[0]?.subscriptions).toMatchObject([
        { status: 'active', auto_renewal_status: 'will_renew', price: { amount: 3.99, currency: 'GBP' } },
      ]);
    }
  });

  it('reads attributes whose doubled quotes stand outside quotes', async () => {
    const file = await files.write(
      [
        'rc_original_app_user_id;store;product_identifier;start_time;end_time;store_transaction_id;is_auto_renewable;custom_subscriber_attributes',
        'ada;app_store;pro;2026-06-01 08:00:00;2026-07-01 08:00:00;1;true;{""level"": {""value"": ""3, or 4"", ""updated_at_ms"": 1673097132390}}',
        '',
      ].join('\n'),
    );
    const { customers } = await imported('export', [file], { nowMs: NOW });
    expect(customers[0]?.attributes).toEqual([
      { name: 'level', value: '3, or 4', updated_at: 1_673_097_132_390 },
    ]);
  });

  it('takes of several versions of a row the newest, also from another file', async () => {
    const older = { ...renewal, updated_at: '2026-06-01 08:00:00', unsubscribe_detected_at: '' };
    const newer = {
      ...renewal,
      updated_at: '2026-06-09 00:00:00',
      unsubscribe_detected_at: '2026-06-08 00:00:00',
    };
    for (const order of [
      [older, newer],
      [newer, older],
    ]) {
      const paths = await Promise.all(order.map((row) => files.write(gzipSync(csv([row])))));
      const { customers } = await imported('export', paths, { nowMs: NOW });
      expect(customers[0]?.subscriptions).toMatchObject([
        {
          auto_renewal_status: 'will_not_renew',
          unsubscribe_detected_at: at('2026-06-08 00:00:00'),
          transactions: [{ id: '2002' }],
        },
      ]);
    }
  });

  it('gives a subscription to the customer of its newest transaction', async () => {
    const { customers } = await read([{ ...trial, rc_original_app_user_id: 'bob' }, renewal]);
    expect(customers.map(({ id }) => id)).toEqual(['ada']);
    expect(customers[0]?.subscriptions).toMatchObject([
      { original_customer_id: 'bob', transactions: [{ id: '2001' }, { id: '2002' }] },
    ]);
  });

  it('takes the newest of each attribute', async () => {
    const custom = (value: string, time: number) => ({
      custom_subscriber_attributes: JSON.stringify({ level: { value, updated_at_ms: time } }),
    });
    const { customers } = await read([
      { ...renewal, ...custom('new', 1_700_000_000_002) },
      { ...trial, ...custom('old', 1_700_000_000_001) },
    ]);
    expect(customers[0]?.attributes).toEqual([
      { name: 'level', value: 'new', updated_at: 1_700_000_000_002 },
    ]);
  });

  it('says which rows it cannot read, and reads the others', async () => {
    const { customers, skipped } = await read([
      { ...renewal, store: 'corner_shop' },
      { ...renewal, start_time: 'soon' },
      { ...renewal, rc_original_app_user_id: '' },
      { ...renewal, store_transaction_id: '' },
      renewal,
    ]);
    expect(customers).toHaveLength(1);
    expect(skipped.map(({ id, reason }) => [id.split(':').at(-1), reason])).toEqual([
      ['2', 'is of an unknown store (corner_shop)'],
      ['3', 'has no start_time, or one that is no time'],
      ['4', 'has no rc_original_app_user_id'],
      ['5', 'has no store_transaction_id'],
    ]);
  });

  it('asks for the app of a store before it gives a customer', async () => {
    const file = await files.write(csv([renewal, { ...renewal, store: 'stripe' }]));
    const appIdOf = (store: string) => (store === 'app_store' ? 'app1' : null);
    await expect(imported('export', [file], { nowMs: NOW, appIdOf })).rejects.toThrow(
      'The files have purchases of stripe, but it is not clear which app they belong to. Add --app stripe=<app id>.',
    );
  });

  it('gives each transaction once, to one customer, in the order of their ids, whatever the order of rows', async () => {
    const day = (index: number) => new Date(at('2026-01-01 00:00:00') + index * 86_400_000).toISOString();
    const transactions = fc.uniqueArray(
      fc.record({ subscription: fc.integer({ min: 0, max: 5 }), period: fc.integer({ min: 0, max: 9 }) }),
      { selector: ({ subscription, period }) => `${subscription} ${period}`, minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(
        transactions,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 500, max: 20_000 }),
        fc.infiniteStream(fc.nat()),
        async (all, versions, charactersInMemory, random) => {
          const rows = all.flatMap(({ subscription, period }) =>
            Array.from({ length: versions }, (_, version) => ({
              ...renewal,
              rc_original_app_user_id: `customer-${subscription % 3}`,
              original_store_transaction_id: `subscription-${subscription}`,
              store_transaction_id: `subscription-${subscription}-${period}`,
              renewal_number: String(period + 1),
              start_time: day(period),
              end_time: day(period + 1),
              effective_end_time: day(period + 1),
              updated_at: day(20 + version),
              country: version === versions - 1 ? 'SE' : 'GB',
            })),
          );
          const shuffled = rows
            .map((row) => ({ row, order: random.next().value as number }))
            .sort((a, b) => a.order - b.order)
            .map(({ row }) => row);
          const file = await files.write(csv(shuffled));
          const { customers, skipped } = await imported('export', [file], { nowMs: NOW, charactersInMemory });
          expect(skipped).toEqual([]);
          const ids = customers.map(({ id }) => id);
          expect(ids).toEqual(
            [...new Set(all.map(({ subscription }) => `customer-${subscription % 3}`))].sort(),
          );
          const subscriptions = customers.flatMap((customer) => customer.subscriptions ?? []);
          expect(subscriptions).toHaveLength(new Set(all.map(({ subscription }) => subscription)).size);
          const given = subscriptions.flatMap((each) => each.transactions?.map(({ id }) => id) ?? []);
          expect(given.toSorted()).toEqual(
            all.map(({ subscription, period }) => `subscription-${subscription}-${period}`).toSorted(),
          );
          for (const each of subscriptions) {
            const times = each.transactions?.map((one) => one.purchased_at) ?? [];
            expect(times).toEqual(times.toSorted((a, b) => a - b));
            expect([each.starts_at, each.current_period_starts_at]).toEqual([times[0], times.at(-1)]);
            expect(each.country).toBe('SE');
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
