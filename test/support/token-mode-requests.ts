import type { SdkRequest } from './sdk-requests.js';

type Call = [method: 'GET' | 'POST', path: string, more?: Partial<SdkRequest>];

/** Request of the SDK with an access token instead of the app's key; `status` is 200 by default. */
export function tokenModeRequests(nowMs: number): SdkRequest[] {
  const calls: Call[] = [
    ['GET', '/v1/customer'],
    ['GET', '/v1/customer/offerings'],
    ['POST', '/v1/customer/intro_eligibility', { body: { product_identifiers: ['pro_monthly'] } }],
    [
      'POST',
      '/v1/customer/attributes',
      { body: { attributes: { a: { value: 'b', updated_at_ms: nowMs } } } },
    ],
    ['GET', '/v1/customer/attributes'],
    ['POST', '/v1/customer/attribution', { body: { network: 2, data: { rc_idfa: null } } }],
    ['POST', '/v1/customer/adservices_attribution', { body: { aad_attribution_token: 'aad-token' } }],
    ['GET', '/v1/customer/health_report'],
    ['GET', '/v1/customer/customercenter'],
    [
      'POST',
      '/v1/customer/customercenter/support/create-ticket',
      { body: { customer_email: 'a@example.com', issue_description: 'Help' }, answer: { sent: false } },
    ],
    ['GET', '/v1/customer/virtual_currencies'],
    [
      'POST',
      '/v1/customer/virtual_currencies/spend',
      { body: { adjustments: { GLD: 1 }, reference: null }, status: 400, code: 7226 },
    ],
    [
      'POST',
      '/v1/customer/restore/eligibility',
      { body: { fetch_token: 'a.b.c' }, answer: { is_purchase_allowed_by_restore_behavior: true } },
    ],
    [
      'GET',
      '/v1/customer/ads/reward_verifications/{client_transaction_id}',
      { url: '/v1/customer/ads/reward_verifications/5f1c3f9d', answer: { status: 'failed' } },
    ],
    ['GET', '/rcbilling/v1/customer/products', { url: '/rcbilling/v1/customer/products?id=pro_monthly' }],
    ['GET', '/rcbilling/v1/customer/offering_products', { answer: { offerings: {} } }],
  ];
  for (const prefix of ['/v1/auth', '/auth']) {
    const refresh = { grant_type: 'refresh_token', refresh_token: `rdrf_${'0'.repeat(64)}` };
    calls.push(
      ['POST', `${prefix}/token`, { key: 'test', body: refresh, status: 401, code: 7224 }],
      ['POST', `${prefix}/revoke`, { key: 'test', body: { token: refresh.refresh_token }, answer: {} }],
    );
  }
  calls.push(['POST', '/v1/auth/login', { key: 'test', body: { method: 'anonymous' } }]);
  return calls.map(([method, path, more]) => ({
    sdk: 'iOS',
    when: 'token mode',
    method,
    call: path,
    url: path,
    key: 'token',
    status: 200,
    ...more,
  }));
}
