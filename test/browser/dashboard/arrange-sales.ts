import type { Dashboard } from './dashboard.js';

const COUNTRIES = ['US', 'DE', 'GB', 'JP', 'BR'];
const DAYS_BETWEEN = 13;

/** Test purchases over a year, in several countries and currencies, some of them refunded or cancelled. */
export async function buyForAYear(dashboard: Dashboard): Promise<void> {
  for (let place = 0; place < 27; place += 1) {
    const { status } = await dashboard.owner.session.post(`${dashboard.store.path}/test_purchases`, {
      app_user_id: `buyer-${place}`,
      product_id: place % 3 === 0 ? 'pro_yearly' : 'pro_monthly',
      offset_days: place * DAYS_BETWEEN,
      currency: place % 4 === 1 ? 'EUR' : 'USD',
      country_code: COUNTRIES[place % COUNTRIES.length],
      price: place % 3 === 0 ? 1099.99 : 149.99,
      scenario: place % 9 === 5 ? 'refund' : 'purchase',
    });
    expect(status).toBe(201);
  }
}
