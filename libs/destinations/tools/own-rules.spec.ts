import { attributes, bodyOf, callsOf, frozenCustomer, planOf, renewalWith } from '../testing/fixture.js';

const ID = 'A6F3D1C2-0000-4000-8000-000000000001';

const withAttributes = (more: Record<string, string>) => ({
  customer: frozenCustomer({ attributes: { ...attributes, ...more } }),
});

describe('Firebase', () => {
  const to = 'a'.repeat(32);
  const from = 'b'.repeat(32);
  const sides = (attributesOfTo: Record<string, string>, previousOwner?: Record<string, string>) => ({
    customer: frozenCustomer({ attributes: attributesOfTo, previousOwner }),
  });

  it('gets a transfer for each side that has an instance id', () => {
    const both = sides({ $firebaseAppInstanceId: to }, { $firebaseAppInstanceId: from });
    const bodies = callsOf('firebase', {}, 'transfer', both).map(({ body }) => JSON.parse(body) as object);
    const params = {
      event_id: ID,
      transferred_from: 'previous-owner',
      transferred_to: 'ada',
      store: 'APP_STORE',
      environment: 'PRODUCTION',
    };
    expect(bodies).toMatchObject([
      { app_instance_id: from, user_id: 'previous-owner', events: [{ name: 'rc_transfer_event', params }] },
      { app_instance_id: to, user_id: 'ada', events: [{ name: 'rc_transfer_event', params }] },
    ]);
    expect(callsOf('firebase', {}, 'transfer', sides({ $firebaseAppInstanceId: to }))).toHaveLength(1);
    expect(planOf('firebase', {}, 'transfer', sides({}))).toEqual({ skip: 'missing_attribute' });
  });

  it('gets texts of at most 100 characters, and no long user id', () => {
    const event = renewalWith({ product_id: `${'x'.repeat(99)}😀`, app_user_id: 'y'.repeat(257) });
    const body = bodyOf('firebase', {}, event);
    expect(body).toHaveProperty('events.0.params.product_id', 'x'.repeat(99));
    expect(body).not.toHaveProperty('user_id');
  });
});

describe('AppsFlyer', () => {
  it('gets at most 1,024 bytes: long ids are left out', () => {
    const [call] = callsOf('appsflyer', {}, renewalWith({ app_user_id: 'x'.repeat(900) }));
    expect(call?.body).not.toContain('customer_user_id');
    expect(Buffer.byteLength(call?.body ?? '')).toBeLessThanOrEqual(1024);
    expect(planOf('appsflyer', {}, renewalWith({ product_id: 'x'.repeat(1024) }))).toEqual({
      skip: 'too_large',
    });
  });

  it.each([
    ['all', 'all'],
    ['["a_int","b_int"]', ['a_int', 'b_int']],
    ['a_int, b_int', ['a_int', 'b_int']],
    ['{"a":1}', ['{"a":1}']],
  ])('gets the sharing filter %s as %j', (text, filter) => {
    const body = bodyOf('appsflyer', {}, 'renewal', withAttributes({ $appsflyerSharingFilter: text }));
    expect(body.sharing_filter).toEqual(filter);
  });

  it('gets advertising ids of the platform, unless they are zeroed', () => {
    const ids = { $idfa: 'idfa-1', $gpsAdId: '00000000-0000-0000-0000-000000000000' };
    expect(bodyOf('appsflyer', {}, 'renewal', withAttributes(ids)).idfa).toBe('idfa-1');
    const android = bodyOf('appsflyer', {}, renewalWith({ store: 'PLAY_STORE' }), withAttributes(ids));
    expect(android).not.toHaveProperty('idfa');
    expect(android).not.toHaveProperty('advertising_id');
    expect(android.bundleIdentifier).toBe('com.example.app');
  });
});

describe('Meta', () => {
  it('gets hashes of email and phone number only', () => {
    const personal = withAttributes({ $email: ' Ada@Example.com ', $phoneNumber: '+1 (555) 010-2030' });
    expect(bodyOf('meta', {}, 'renewal', personal)).toMatchObject({
      data: [
        {
          user_data: {
            em: ['b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72'],
            ph: ['adcfb0c30a77d7b8bf465c2d886be9d0c8037048e4149c65cb195d6418d76540'],
          },
        },
      ],
    });
  });

  it('gets no advertising id without consent on Apple devices', () => {
    const customer = frozenCustomer({ attributes: { $idfa: 'idfa-1' } });
    const body = bodyOf('meta', { settings: { send_without_consent: true } }, 'renewal', { customer });
    expect(body).not.toHaveProperty('data.0.user_data.madid');
    expect(body).toHaveProperty('data.0.app_data.advertiser_tracking_enabled', 0);
  });

  it('gets the package name and the advertising id of Android', () => {
    const customer = frozenCustomer({ attributes: { $gpsAdId: 'gps-1' }, osVersion: null });
    const settings = { android_package: 'com.example.app' };
    const body = bodyOf('meta', { settings }, renewalWith({ store: 'PLAY_STORE' }), { customer });
    expect(body).toHaveProperty('data.0.user_data.madid', 'gps-1');
    expect(body).toHaveProperty(['data', 0, 'app_data', 'extinfo', 0], 'a2');
    expect(body).toHaveProperty(['data', 0, 'app_data', 'extinfo', 1], 'com.example.app');
    expect(body).toHaveProperty(['data', 0, 'app_data', 'extinfo', 4], '0');
  });
});

describe('an address of your own', () => {
  const settings = (more: object) => ({ settings: more as Record<string, unknown> });

  it('takes encoded values in path and query', () => {
    const url = 'https://example.com/users/{{event.app_user_id}}?id={{event.id}}#{{nothing}}';
    const event = renewalWith({ app_user_id: 'a/b?c d' });
    expect(callsOf('http', settings({ url }), event)[0]?.url).toBe(
      `https://example.com/users/a%2Fb%3Fc%20d?id=${ID}#`,
    );
  });

  it.each([
    ['https://example.com/users/{{event.app_user_id}}', {}, '..'],
    ['https://example.com/', { a: '{{event.app_user_id}}' }, 'a\r\nb: c'],
    ['https://example.com/', { a: '{{event.app_user_id}}' }, 'я'],
  ])('skips an event that would change %s or headers like %j', (url, headers, app_user_id) => {
    expect(planOf('http', settings({ url, headers }), renewalWith({ app_user_id }))).toMatchObject({
      skip: 'bad_attribute',
    });
  });

  it('takes a form of texts', () => {
    const body = { id: '{{event.id}}', revenue: '{{revenue}}', none: '{{event.cancel_reason}}', n: 7 };
    expect(callsOf('http', settings({ body, content_type: 'form' }))[0]?.body).toBe(
      `id=${ID}&revenue=10.86&none=&n=7`,
    );
  });
});
