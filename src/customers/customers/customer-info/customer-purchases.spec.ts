import { owns, ownerAmong } from './customer-purchases.js';
import type { CustomerRow, SubscriptionRow } from '../identity/customer-state.js';

type Owner = Pick<CustomerRow, 'id' | 'subscriptions' | 'purchases'>;

const ownerOf = (id: string, store: string, environment = 'production'): Owner => ({
  id,
  subscriptions: [{ store, environment, storeKey: 'key', facts: {} } as SubscriptionRow],
  purchases: [],
});

describe('the owner of a purchase', () => {
  const name = { key: 'key' };
  const onMac = { store: 'mac_app_store', environment: 'production' };

  it.each([
    ['app_store', 'production', true],
    ['mac_app_store', 'production', true],
    ['app_store', 'sandbox', false],
    ['play_store', 'production', false],
  ])('finds it for a report of the Mac App Store in %s, %s: %s', (store, environment, expected) => {
    expect(owns(ownerOf('a', store, environment), onMac, name)).toBe(expected);
  });

  it('picks the one whose row names the reporting store, if an earlier version recorded two', () => {
    const [phone, mac] = [ownerOf('phone', 'app_store'), ownerOf('mac', 'mac_app_store')];
    for (const customers of [
      [phone, mac],
      [mac, phone],
    ]) {
      expect(ownerAmong(customers, onMac, name)?.id).toBe('mac');
      expect(ownerAmong(customers, { ...onMac, store: 'app_store' }, name)?.id).toBe('phone');
    }
  });
});
