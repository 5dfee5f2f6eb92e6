import { gzipSync } from 'node:zlib';
import { receiptContent } from '../../../test/support/fake-app-store/app-receipt.js';
import { der, sequence } from '../../../test/support/fake-app-store/der.js';
import { csv, imported, TestFiles } from '../testing/test-files.js';

const NOW = Date.parse('2026-06-15T00:00:00Z');

/** Returns an unsigned app receipt as base64. */
function appReceipt(transactionId: string): string {
  const purchase = { transactionId, originalTransactionId: '9', productId: 'pro', purchasedAtMs: NOW };
  const content = receiptContent({ bundleId: 'com.example', createdAtMs: NOW, purchases: [purchase] });
  const id = der(0x06, Buffer.from([42]));
  const inner = sequence(id, der(0xa0, der(0x04, content)));
  return sequence(id, der(0xa0, sequence(der(0x02, Buffer.from([1])), der(0x31), inner))).toString('base64');
}

function signedTransaction(payload: object): string {
  return ['{}', JSON.stringify(payload), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');
}

describe('files with customers', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  describe('of the customer-list export', () => {
    it('dates attributes to the last time the customer was seen', async () => {
      const row = {
        app_user_id: 'ada',
        first_seen_at: '1700000000000',
        last_seen_at: '1760000000000',
        last_seen_platform: 'iOS',
        email: 'ada@example.com',
        phone_number: '+1',
        idfa: 'a',
        idfv: 'v',
        gps_ad_id: 'g',
        media_source: 'm',
        campaign: 'c',
        ad_group: 'ag',
        ad: 'ad',
        keyword: 'k',
        creative: '',
        custom_attributes: '{"level": {"value": "3", "updated_at_ms": 1750000000000}, "plan": "x"}',
      };
      const file = await files.write(gzipSync(csv([row], ';')));
      const { customers, skipped } = await imported('customers-csv', [file], { nowMs: NOW });
      expect(skipped).toEqual([]);
      const seen = 1_760_000_000_000;
      expect(customers).toEqual([
        {
          id: 'ada',
          first_seen_at: 1_700_000_000_000,
          last_seen_at: seen,
          attributes: [
            { name: '$email', value: 'ada@example.com', updated_at: seen },
            { name: '$phoneNumber', value: '+1', updated_at: seen },
            { name: '$idfa', value: 'a', updated_at: seen },
            { name: '$idfv', value: 'v', updated_at: seen },
            { name: '$gpsAdId', value: 'g', updated_at: seen },
            { name: '$mediaSource', value: 'm', updated_at: seen },
            { name: '$campaign', value: 'c', updated_at: seen },
            { name: '$adGroup', value: 'ag', updated_at: seen },
            { name: '$ad', value: 'ad', updated_at: seen },
            { name: '$keyword', value: 'k', updated_at: seen },
            { name: 'level', value: '3', updated_at: 1_750_000_000_000 },
            { name: 'plan', value: 'x', updated_at: seen },
          ],
        },
      ]);
    });

    it('skips rows without an id', async () => {
      const file = await files.write('app_user_id;email\n;x@example.com\nada\nbob;b@example.com\n');
      const { customers, skipped } = await imported('customers-csv', [file], { nowMs: NOW });
      expect(customers.map(({ id }) => id)).toEqual(['bob']);
      expect(skipped).toEqual([
        { kind: 'row', id: `${file}:2`, reason: 'has no app_user_id' },
        { kind: 'row', id: `${file}:3`, reason: 'has 1 fields, but the header has 2' },
      ]);
    });
  });

  describe('of the in-app currency feed', () => {
    const row = (id: string, code: string, balance: string, created_at: string) => ({
      rc_original_app_user_id: id,
      currency_code: code,
      balance_after: balance,
      created_at,
    });

    it('returns the running balance of the last change of each currency', async () => {
      const file = await files.write(
        csv([
          row('bob', 'GLD', '5', '2026-01-01 00:00:00'),
          row('ada', 'GLD', '70', '2026-01-03 00:00:00'),
          row('ada', 'GLD', '100', '2026-01-02 00:00:00'),
          row('ada', 'SLV', '1', '2026-01-02 00:00:00'),
          row('ada', 'SLV', '2', '2026-01-02 00:00:00'),
          row('bob', 'GLD', '0', '2026-01-05 00:00:00'),
        ]),
      );
      const { customers } = await imported('currency-csv', [file], { charactersInMemory: 200 });
      expect(customers).toEqual([
        { id: 'ada', virtual_currencies: { GLD: 70, SLV: 2 } },
        { id: 'bob', virtual_currencies: { GLD: 0 } },
      ]);
    });

    it('names the columns that are missing', async () => {
      const file = await files.write('rc_original_app_user_id,amount\nada,1\n');
      await expect(imported('currency-csv', [file])).rejects.toThrow(
        /lacks a column: .*currency_code.*balance/,
      );
    });

    it('skips rows without a balance', async () => {
      const file = await files.write(csv([row('ada', 'GLD', 'many', ''), row('ada', '', '1', '')]));
      const { customers, skipped } = await imported('currency-csv', [file]);
      expect(customers).toEqual([]);
      expect(skipped.map(({ reason }) => reason)).toEqual([
        'has no running balance, or one that is no number',
        'names no currency',
      ]);
    });
  });

  describe('with receipts', () => {
    it.each([
      ['a signed transaction', signedTransaction({ originalTransactionId: '77', transactionId: '78' }), '77'],
      ['an app receipt', appReceipt('1001'), '1001'],
      ['a transaction id', '2000000123456789', '2000000123456789'],
    ])('reads App Store receipts %s', async (_, receipt, id) => {
      const file = await files.write(csv([{ app_user_id: 'ada', receipt }]));
      expect((await imported('receipts', [file])).customers).toEqual([
        {
          id: 'ada',
          subscriptions: [{ app_id: 'app_app_store', store: 'app_store', original_transaction_id: id }],
        },
      ]);
    });

    it('recognizes a transaction of the sandbox', async () => {
      const receipt = signedTransaction({ originalTransactionId: '77', environment: 'Sandbox' });
      const file = await files.write(csv([{ app_user_id: 'ada', receipt }]));
      const { customers } = await imported('receipts', [file]);
      expect(customers[0]?.subscriptions).toMatchObject([{ environment: 'sandbox' }]);
    });

    it('tells Google Play and Stripe apart by their columns', async () => {
      const play = await files.write(csv([{ app_user_id: 'ada', product_id: 'pro:monthly', token: 'tok' }]));
      const stripe = await files.write(csv([{ app_user_id: 'bob', subscription_token: 'sub_1' }], ';'));
      expect(
        (await imported('receipts', [play, stripe])).customers.map((each) => each.subscriptions),
      ).toEqual([
        [{ app_id: 'app_play_store', store: 'play_store', purchase_token: 'tok' }],
        [{ app_id: 'app_stripe', store: 'stripe', store_subscription_identifier: 'sub_1' }],
      ]);
    });

    it('skips what is not a receipt, without repeating it', async () => {
      const rows = ['secret-token', 'a.b.c', ''].map((receipt) => ({ app_user_id: 'ada', receipt }));
      const file = await files.write(csv(rows));
      const { customers, skipped } = await imported('receipts', [file]);
      expect(customers).toEqual([]);
      expect(skipped).toHaveLength(3);
      expect(JSON.stringify(skipped)).not.toContain('secret-token');
    });
  });

  it.each(['original_transaction_id', 'apple_original_transaction_id', 'original_id'])(
    'reads App Store ids in a column %s',
    async (column) => {
      const rows = ['2000000123456789', '2E+15'].map((id) => ({ app_user_id: 'ada', [column]: id }));
      const { customers, skipped } = await imported('apple-ids', [await files.write(csv(rows))]);
      expect(customers).toEqual([
        {
          id: 'ada',
          subscriptions: [
            { app_id: 'app_app_store', store: 'app_store', original_transaction_id: '2000000123456789' },
          ],
        },
      ]);
      expect(skipped).toHaveLength(1);
    },
  );

  it('reads Google Play tokens', async () => {
    const rows = [{ user_id: 'ada', fetch_token: 'tok', google_product_id: 'pro' }];
    const { customers } = await imported('google-tokens', [await files.write(csv(rows, '\t'))]);
    expect(customers[0]?.subscriptions).toEqual([
      { app_id: 'app_play_store', store: 'play_store', purchase_token: 'tok' },
    ]);
  });

  it('asks for the app if a store has several', async () => {
    const file = await files.write(csv([{ app_user_id: 'ada', original_id: '1' }]));
    await expect(imported('apple-ids', [file], { appIdOf: () => null })).rejects.toThrow(
      'Add --app app_store=<app id>.',
    );
  });

  it('passes JSON lines through unchanged', async () => {
    const customer = { id: 'ada', subscriptions: [{ app_id: 'x', store: 'app_store', status: 'active' }] };
    const text = ['', JSON.stringify(customer), '{', '[]', '{"id": 7}', '{"id": "bob"}'].join('\r\n');
    const file = await files.write(`\ufeff${text}`);
    const { customers, skipped } = await imported('json', [file]);
    expect(customers).toEqual([customer, { id: 'bob' }]);
    expect(skipped.map(({ id, reason }) => [id, reason])).toEqual([
      [`${file}:3`, 'is not valid JSON'],
      [`${file}:4`, 'is not an object'],
      [`${file}:5`, 'has no id'],
    ]);
  });
});
