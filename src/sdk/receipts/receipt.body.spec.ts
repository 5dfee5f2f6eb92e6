import fc from 'fast-check';
import { oddOptionalFields } from '../../../test/support/odd-receipt-fields.js';
import { readReceiptBody } from './receipt.body.js';

describe('the body of a posted receipt', () => {
  it('accepts anything in its optional fields', () => {
    fc.assert(
      fc.property(oddOptionalFields(), (odd) => {
        const body = readReceiptBody({ ...odd, app_user_id: 'ada', fetch_token: 'token' });
        expect([body.appUserId, body.fetchToken]).toEqual(['ada', 'token']);
        for (const id of body.productIds) expect(id.length).toBeGreaterThan(0);
        if (body.priceMicros !== null) expect(Number.isSafeInteger(body.priceMicros)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, object, string[]]>([
    ['a number', { product_id: 5, product_ids: ['a'] }, ['a']],
    ['a list', { product_id: ['a'], product_ids: [['b'], 'c'] }, ['c']],
    ['a text where a list belongs', { product_id: 'a', product_ids: 'b' }, ['a']],
    ['what cannot be stored', { product_ids: ['a\0', '\ud800', 'x'.repeat(256), 'b'] }, ['b']],
    ['nothing sound but a plan', { product_ids: [7], platform_product_ids: [{ product_id: 'a' }, 3] }, ['a']],
  ])('drops of its products %s', (_, fields, expected) => {
    const body = readReceiptBody({ ...fields, app_user_id: 'ada', fetch_token: 'token' });
    expect(body.productIds).toEqual(expected);
  });
});
