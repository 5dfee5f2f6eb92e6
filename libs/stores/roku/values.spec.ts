import { readRefund, readTransaction } from './transaction.js';
import { isTransactionId, transactionKey } from './transaction-id.js';
import { rokuMicros, rokuTime } from './values.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('what Roku writes', () => {
  it.each([
    [`/Date(${AT}+0000)/`, AT],
    [`/Date(${AT}-0800)/`, AT],
    [`/Date(${AT})/`, AT],
    ['2026-01-02T03:04:05.678Z', AT],
    ['2026-01-02T03:04:05.678912345Z', AT],
    ['2026-01-02T03:04:05.6789123', AT],
    ['2026-01-02T04:04:05.6789123+01:00', AT],
    ['2026-01-02T03:04:05.6', AT - 78],
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    ['tomorrow', null],
    ['/Date(99999999999999999)/', null],
    ['2026-13-45T00:00:00Z', null],
    [AT, null],
    [null, null],
  ])('reads the date %j', (text, expected) => {
    expect(rokuTime(text)).toBe(expected);
  });

  it.each([
    [4.99, 4_990_000],
    ['4.99', 4_990_000],
    [0, 0],
    ['$4.99', null],
    ['', null],
    [Number.NaN, null],
    [1e300, null],
  ])('reads the amount %j', (value, expected) => {
    expect(rokuMicros(value)).toBe(expected);
  });

  it.each([
    ['A1b2-C3', true],
    ['a'.repeat(1024), true],
    ['a'.repeat(1025), false],
    ['.', false],
    ['..', false],
    ['a/b', false],
    ['', false],
  ])('reads the id %s', (id, expected) => {
    expect(isTransactionId(id)).toBe(expected);
  });

  it('equates two forms of one id', () => {
    expect(transactionKey('0A1B2C3D-0000-1111-2222-333344445555')).toBe('0a1b2c3d000011112222333344445555');
  });

  it.each([
    {
      OriginalTransactionId: 'first',
      purchaseStatus: 'PendingInactive',
      channelId: 12345,
      cancelled: 'true',
    },
    {
      originalTransactionId: 'first',
      purchaseStatus: 'Pending_Inactive',
      channelId: '12345',
      cancelled: true,
    },
  ])('accepts a transaction, whatever the spelling: %j', (spelt) => {
    const common = {
      transactionId: 'T-1',
      productId: 'pro',
      purchaseDate: `/Date(${AT}+0000)/`,
      currency: 'usd',
    };
    expect(readTransaction({ ...common, ...spelt })).toMatchObject({
      key: 't1',
      subscriptionKey: 'first',
      status: 'pending_inactive',
      channelId: '12345',
      isCancelled: true,
      currency: 'USD',
      expiresAtMs: null,
    });
  });

  it.each([[null], [[]], [{}], [{ transactionId: 'a' }], [{ transactionId: 'a/b', productId: 'pro' }]])(
    'finds no transaction in %j',
    (json) => {
      expect(readTransaction(json)).toBeNull();
      expect(readRefund(json)).toBeNull();
    },
  );
});
