import type { Kind } from '../event.js';
import { sampleEvent } from '../sample-event.js';
import { attributes, bodyOf, callsOf, frozenCustomer } from '../testing/fixture.js';
import { rcNames } from './requests.js';

const ID = 'A6F3D1C2-0000-4000-8000-000000000001';
const ISO = '2026-01-02T03:04:05.678Z';
const HEX_KEY = '0123456789abcdef0123456789abcdef';

/** Properties of the sample renewal that most tools have in common. */
const base = {
  revenue: 10.86,
  currency: 'EUR',
  product_id: 'pro_monthly',
  store: 'APP_STORE',
  period_type: 'NORMAL',
  environment: 'PRODUCTION',
  app_id: 'app1a2b3c4d5',
  app_user_id: 'ada',
  original_app_user_id: 'ada',
  aliases: ['ada'],
  entitlement_id: null,
  entitlement_ids: ['pro'],
  presented_offering_id: null,
  transaction_id: '2000000000000001',
  original_transaction_id: '2000000000000000',
  is_family_share: false,
  offer_code: null,
  subscriber_attributes: {},
  platform: 'iOS',
  rc_subscription_status: 'active',
};
const times = { purchased_at: '2026-01-02T03:04:05Z', expiration_at: '2026-02-02T03:04:05Z' };

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
describe('the request about the sample renewal', () => {
  it('goes to Segment', () => {
    const [call] = callsOf('segment');
    expect(call).toMatchObject({
      url: 'https://api.segment.io/v1/batch',
      headers: { authorization: basic('segmentWriteKey0123456789:') },
    });
    const shared = {
      userId: 'ada',
      timestamp: ISO,
      context: { environment: 'production', library: { name: 'Tenure', version: '1' } },
    };
    const traits = { last_seen_app_user_id: 'ada', aliases: ['ada'], rc_subscription_status: 'active' };
    const properties = {
      ...base,
      purchased_at: 1_767_323_045,
      expires_at: 1_770_001_445,
      entitlement: 'pro',
      entitlements: ['pro'],
    };
    expect(bodyOf('segment')).toEqual({
      batch: [
        { type: 'identify', messageId: `${ID}-identify`, traits, ...shared },
        { type: 'track', messageId: ID, event: 'rc_renewal_event', properties, ...shared },
      ],
      sentAt: ISO,
    });
    expect(callsOf('segment', { settings: { region: 'eu' } })[0]?.url).toBe(
      'https://events.eu1.segmentapis.com/v1/batch',
    );
  });

  it('goes to Amplitude', () => {
    expect(callsOf('amplitude')[0]?.url).toBe('https://api2.amplitude.com/2/httpapi');
    const event = {
      event_type: 'rc_renewal_event',
      user_id: 'ada',
      time: 1_767_323_045_678,
      insert_id: ID,
      platform: 'iOS',
      revenue: 10.86,
      productId: 'pro_monthly',
      event_properties: { ...base, ...times },
      user_properties: { $set: { rc_subscription_status: 'active', rc_active_entitlements: ['pro'] } },
    };
    expect(bodyOf('amplitude')).toEqual({ api_key: HEX_KEY, events: [event], options: { min_id_length: 1 } });
  });

  it('goes to Mixpanel in two steps', () => {
    const [event, profile] = callsOf('mixpanel');
    expect(event).toMatchObject({
      url: 'https://api.mixpanel.com/import?strict=1',
      headers: { authorization: basic(`${HEX_KEY}:`) },
    });
    const properties = {
      token: HEX_KEY,
      distinct_id: 'ada',
      time: 1_767_323_045_678,
      $insert_id: ID,
      ...base,
      ...times,
    };
    expect(JSON.parse(event?.body ?? '')).toEqual([{ event: 'rc_renewal_event', properties }]);
    expect(profile?.url).toBe('https://api.mixpanel.com/engage?verbose=1');
    const shared = { $token: HEX_KEY, $distinct_id: 'ada', $ip: '0' };
    const charge = {
      $time: '2026-01-02T03:04:05',
      $amount: 10.86,
      product_id: 'pro_monthly',
      store: 'APP_STORE',
    };
    expect(JSON.parse(profile?.body ?? '')).toEqual([
      { ...shared, $set: { rc_subscription_status: 'active' } },
      { ...shared, $append: { $transactions: charge } },
    ]);
    expect(callsOf('mixpanel', { settings: { region: 'in' } })[0]?.url).toMatch(
      'https://api-in.mixpanel.com/',
    );
    const withoutStatus = { customer: frozenCustomer({ status: null }) };
    expect(
      callsOf('mixpanel', { settings: { track_charges: false } }, 'renewal', withoutStatus),
    ).toHaveLength(1);
    expect(callsOf('mixpanel', {}, 'expiration', withoutStatus)).toHaveLength(1);
  });

  it('goes to PostHog', () => {
    expect(callsOf('posthog')[0]?.url).toBe('https://us.i.posthog.com/batch/');
    const properties = {
      ...base,
      ...times,
      insert_id: ID,
      $set: { rc_subscription_status: 'active' },
      $geoip_disable: true,
    };
    const event = {
      event: 'rc_renewal_event',
      distinct_id: 'ada',
      timestamp: ISO,
      uuid: ID.toLowerCase(),
      properties,
    };
    expect(bodyOf('posthog')).toEqual({ api_key: 'phc_0123456789abcdefghij', batch: [event] });
  });

  it('goes to Customer.io', () => {
    const [call] = callsOf('customerio', { settings: { region: 'eu' } });
    expect(call).toMatchObject({
      url: 'https://track-eu.customer.io/api/v2/batch',
      headers: { authorization: basic('0123456789abcdef0123:abcdef0123456789abcd') },
    });
    const { aliases, app_id, app_user_id, original_app_user_id, platform, rc_subscription_status } = base;
    const identified = {
      aliases,
      app_id,
      app_user_id,
      original_app_user_id,
      platform,
      rc_subscription_status,
    };
    const shared = { type: 'person', identifiers: { id: 'ada' } };
    expect(bodyOf('customerio')).toEqual({
      batch: [
        {
          ...shared,
          action: 'identify',
          attributes: { ...identified, subscriber_attributes: {}, entitlement_ids: ['pro'] },
        },
        {
          ...shared,
          action: 'event',
          name: 'rc_renewal_event',
          id: '56YF8W40008008000000000001',
          timestamp: 1_767_323_045,
          attributes: { ...base, ...times },
        },
      ],
    });
  });

  it('goes to Braze as a purchase, or as an event without money', () => {
    const [call] = callsOf('braze', { settings: { instance: 'fra-02' } });
    expect(call).toMatchObject({
      url: 'https://rest.fra-02.braze.eu/users/track',
      headers: { authorization: 'Bearer 01234567-89ab-cdef-0123-456789abcdef' },
    });
    const attributesOfUser = [
      { external_id: 'ada', rc_subscription_status: 'active', rc_active_entitlement_ids: ['pro'] },
    ];
    const details = { store: 'APP_STORE', app_id: 'app1a2b3c4d5' };
    const purchase = {
      external_id: 'ada',
      product_id: 'pro_monthly',
      currency: 'USD',
      price: 10.86,
      quantity: 1,
      time: ISO,
      properties: { rc_event_name: 'rc_renewal_event', ...details },
    };
    expect(bodyOf('braze')).toEqual({ attributes: attributesOfUser, purchases: [purchase] });
    const event = {
      external_id: 'ada',
      name: 'rc_expiration_event',
      time: ISO,
      properties: { product_id: 'pro_monthly', revenue: 0, ...details, expiration_reason: 'UNSUBSCRIBE' },
    };
    expect(bodyOf('braze', {}, 'expiration')).toEqual({ attributes: attributesOfUser, events: [event] });
    expect(bodyOf('braze', { settings: { purchases: false } })).toHaveProperty(
      'events.0.properties.revenue',
      10.86,
    );
  });

  it('goes to Firebase', () => {
    expect(callsOf('firebase')[0]?.url).toBe(
      'https://www.google-analytics.com/mp/collect?firebase_app_id=1%3A1234567890%3Aios%3A0a1b2c3d4e5f&api_secret=iosApiSecret_0123456789',
    );
    const params = {
      event_id: ID,
      product_id: 'pro_monthly',
      period_type: 'NORMAL',
      purchased_at: 1_767_323_045_678_000,
      expiration_at: 1_770_001_445_678_000,
      environment: 'PRODUCTION',
      presented_offering_id: '',
      transaction_id: '2000000000000001',
      affiliation: 'APP_STORE',
      original_transaction_id: '2000000000000000',
      original_app_user_id: 'ada',
      app_id: 'app1a2b3c4d5',
      currency: 'USD',
      value: 10.86,
      coupon: '',
      is_trial_conversion: false,
      is_renewal: true,
      items: [{ item_id: 'pro_monthly', affiliation: 'APP_STORE' }],
    };
    expect(bodyOf('firebase')).toEqual({
      app_instance_id: 'fedcba9876543210fedcba9876543210',
      user_id: 'ada',
      timestamp_micros: 1_767_323_045_678_000,
      events: [{ name: 'purchase', params }],
    });
    const purchased = { settings: { currency: 'purchased' }, revenue: 'after_commission' } as const;
    expect(bodyOf('firebase', purchased)).toHaveProperty('events.0.params.value', 6.993);
    expect(bodyOf('firebase', purchased)).toHaveProperty('events.0.params.currency', 'EUR');
  });

  it('goes to AppsFlyer', () => {
    expect(callsOf('appsflyer')[0]).toMatchObject({
      url: 'https://api2.appsflyer.com/inappevent/id123456789',
      headers: { authentication: 'AppsFlyerDevKey012345' },
    });
    expect(bodyOf('appsflyer')).toEqual({
      appsflyer_id: '1700000000000-1234567',
      customer_user_id: 'ada',
      eventName: 'rc_renewal_event',
      eventValue: '{"af_revenue":10.86,"af_currency":"USD","af_content_id":"pro_monthly"}',
      eventTime: '2026-01-02 03:04:05.678',
      eventCurrency: 'USD',
      os: '17.5',
    });
    expect(callsOf('appsflyer', { settings: { s2s_token: true } })[0]?.url).toMatch(
      'https://api3.appsflyer.com/',
    );
  });

  it('goes to Adjust', () => {
    const [call] = callsOf('adjust');
    expect(call).toMatchObject({
      url: 'https://s2s.adjust.com/event',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: 'Bearer adjustOauthToken0123456789',
      },
      body: 's2s=1&app_token=abcdefghijkl&event_token=abc123&adid=0123456789abcdef0123456789abcdef&created_at_unix=1767323045&environment=production&revenue=10.86&currency=USD',
    });
  });

  it('goes to Meta', () => {
    expect(callsOf('meta')[0]?.url).toBe('https://graph.facebook.com/v24.0/1234567890123456/events');
    const extinfo = ['i2', '', '', '1.2.3', '17.5', ...Array.from({ length: 11 }, () => '')];
    const event = {
      event_name: 'Subscribe',
      event_time: 1_767_323_045,
      event_id: ID,
      action_source: 'app',
      user_data: {
        external_id: ['fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029'],
        anon_id: 'XZ0123456789',
      },
      custom_data: {
        value: 10.86,
        currency: 'USD',
        content_ids: ['pro_monthly'],
        content_type: 'product',
        order_id: '2000000000000001',
      },
      app_data: { advertiser_tracking_enabled: 1, application_tracking_enabled: 1, extinfo },
    };
    expect(bodyOf('meta')).toEqual({ access_token: 'EAAmetaAccessToken0123456789', data: [event] });
  });

  it('goes to Slack', () => {
    const attachment = {
      fallback: 'Customer ada just renewed their subscription.',
      color: '#30B296',
      fields: [
        {
          value:
            'Customer <https://tenure.example.com/projects/p1/customers/ada|ada> just renewed their subscription.',
        },
        { title: 'Product', value: 'pro_monthly' },
        { title: 'Revenue', value: '$10.86' },
      ],
      ts: 1_767_323_045,
    };
    expect(bodyOf('slack')).toEqual({ attachments: [attachment] });
    expect(bodyOf('slack', {}, 'cancellation')).toHaveProperty('attachments.0.color', '#F2545B');
  });

  it('goes to Discord', () => {
    expect(callsOf('discord')[0]?.url).toMatch(/\?wait=true$/);
    const embed = {
      description:
        'Customer [ada](https://tenure.example.com/projects/p1/customers/ada) just renewed their subscription.',
      color: 5_763_719,
      fields: [
        { name: 'Product', value: 'pro\\_monthly', inline: true },
        { name: 'Revenue', value: '$10.86', inline: true },
      ],
      timestamp: ISO,
    };
    expect(bodyOf('discord')).toEqual({
      username: 'Tenure',
      allowed_mentions: { parse: [] },
      embeds: [embed],
    });
  });

  it('goes to an address of your own', () => {
    expect(callsOf('http')[0]).toMatchObject({
      method: 'POST',
      url: 'https://example.com/hook',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer httpSecretToken0123456789',
        'idempotency-key': ID,
      },
    });
    expect(bodyOf('http')).toEqual({
      event: sampleEvent('renewal'),
      customer: { attributes, status: 'active', entitlements: ['pro'] },
    });
  });
});

it.each(Object.entries(rcNames) as [Kind, string][])('sends %s to Segment as %s', (kind, name) => {
  const { batch } = bodyOf('segment', {}, kind) as { batch: { event?: string; properties?: object }[] };
  expect(batch[1]).toMatchObject({ event: name });
  expect(batch[1]?.properties).toMatchObject(
    {
      trial_cancelled: { cancellation_reason: 'UNSUBSCRIBE', cancel_reason: 'UNSUBSCRIBE', revenue: 0 },
      subscription_paused: { auto_resumes_at: 1_770_001_445, platform: 'Android' },
      billing_issue: { grace_period_expires_at: 1_770_001_445 },
      product_change: { new_product_id: 'pro_yearly' },
      non_subscription_purchase: { expires_at: null, revenue: 10.86 },
    }[kind as string] ?? {},
  );
});
