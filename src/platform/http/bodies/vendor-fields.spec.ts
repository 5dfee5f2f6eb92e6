import { answerFor, isVendorOperation, withoutOwnFields } from './vendor-fields.js';

const get = (path: string, headers = {}) => ({ method: 'GET', headers, route: { path } });

describe('answers without fields of our own', () => {
  it('leaves them out at every depth and in embedded lists', () => {
    const product = { object: 'product', id: 'prod1', active_subscriptions: 3 };
    const packages = { object: 'list', items: [{ product, eligibility_criteria: 'all' }] };
    const subscription = { object: 'subscription', id: 'sub_1', items: [1], pending_changes: { product } };
    expect(withoutOwnFields({ object: 'list', items: [{ packages }, subscription] })).toEqual({
      object: 'list',
      items: [
        {
          packages: {
            object: 'list',
            items: [{ product: { object: 'product', id: 'prod1' }, eligibility_criteria: 'all' }],
          },
        },
        {
          object: 'subscription',
          id: 'sub_1',
          pending_changes: { product: { object: 'product', id: 'prod1' } },
        },
      ],
    });
  });

  it('leaves them out inside a store object and in each measure', () => {
    const app = {
      object: 'app',
      test_store: { max_renewals: 5 },
      app_store: { bundle_id: 'b', subscription_key_configured: true },
      stripe: null,
    };
    expect(withoutOwnFields(app)).toEqual({ object: 'app', app_store: { bundle_id: 'b' }, stripe: null });
    const chart = {
      object: 'chart_data',
      averaged_over: 3,
      measures: [{ id: 'a', unit: '#' }],
      values: [[1, null]],
    };
    expect(withoutOwnFields(chart)).toEqual({
      object: 'chart_data',
      measures: [{ unit: '#' }],
      values: [[1, null]],
    });
  });

  it('sends them for one value of the header only', () => {
    const body = { object: 'customer', id: 'c', test_clock_id: null };
    const path = '/v2/projects/:project_id/customers/:customer_id';
    expect(answerFor(get(path, { 'x-service-fields': 'vendor' }), body)).toEqual({
      object: 'customer',
      id: 'c',
    });
    for (const value of ['Vendor', 'all', '', 'vendor, vendor', undefined]) {
      expect(answerFor(get(path, { 'x-service-fields': value }), body)).toBe(body);
    }
  });

  it.each([
    ['GET', '/v2/projects', true],
    ['HEAD', '/v2/projects/:project_id/apps', true],
    ['POST', '/v2/projects/:project_id/customers/:customer_id/actions/transfer', true],
    ['GET', '/v2/projects/:project_id/charts/:chart_name', true],
    ['PUT', '/v2/projects/:project_id/apps', false],
    ['GET', '/v2/projects/:project_id', false],
    ['POST', '/v2/projects/:project_id/test_purchases', false],
    ['GET', '/v2/projects/:project_id/setup_health', false],
    ['GET', '/v1/subscribers/:app_user_id', false],
  ])('returns for %s %s: %s', (method, path, is) => {
    expect(isVendorOperation({ ...get(path), method })).toBe(is);
  });
});
