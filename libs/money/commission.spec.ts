import { commissionBps, type CommissionTerms } from './index.js';

describe('store commission', () => {
  it.each<[string, CommissionTerms, number]>([
    ['app_store', {}, 3000],
    ['app_store', { smallBusiness: true }, 1500],
    ['app_store', { afterFirstPaidYear: true }, 1500],
    ['app_store', { product: 'one_time', afterFirstPaidYear: true }, 3000],
    ['app_store', { product: 'one_time', smallBusiness: true }, 1500],
    ['app_store', { agreedBps: 1 }, 3000],
    ['mac_app_store', {}, 3000],
    ['mac_app_store', { afterFirstPaidYear: true }, 1500],
    ['play_store', {}, 1500],
    ['play_store', { product: 'subscription', agreedBps: 3000 }, 1500],
    ['play_store', { product: 'one_time' }, 1500],
    ['play_store', { product: 'one_time', agreedBps: 3000 }, 3000],
    ['amazon', {}, 3000],
    ['amazon', { smallBusiness: true }, 2000],
    ['stripe', {}, 0],
    ['stripe', { agreedBps: 290 }, 290],
    ['paddle', { agreedBps: 500 }, 500],
    ['rc_billing', { agreedBps: 100 }, 100],
    ['roku', {}, 2000],
    ['roku', { product: 'one_time' }, 2000],
    ['roku', { agreedBps: 1000 }, 1000],
    ['test_store', { agreedBps: 100 }, 0],
    ['promotional', {}, 0],
    ['no such store', { agreedBps: 100 }, 0],
  ])('returns for %s with %j: %i basis points', (store, terms, expected) => {
    expect(commissionBps(store, terms)).toBe(expected);
  });

  it.each([-1, 10_001, 0.3, Number.NaN])('refuses an agreed rate of %d', (agreedBps) => {
    expect(() => commissionBps('stripe', { agreedBps })).toThrow(RangeError);
  });
});
