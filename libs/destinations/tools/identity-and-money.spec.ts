import type { DestinationType } from '../definition.js';
import type { DestinationEvent } from '../event.js';
import { sampleEvent } from '../sample-event.js';
import { attributes, bodyOf, callsOf, frozenCustomer, renewalWith } from '../testing/fixture.js';

const withAttributes = (more: Record<string, string>) => ({
  customer: frozenCustomer({ attributes: { ...attributes, ...more } }),
});

describe('identity', () => {
  it.each<[DestinationType, Record<string, string>, string, unknown]>([
    ['segment', { $segmentId: 's1' }, 'batch.1.userId', 's1'],
    ['amplitude', { $amplitudeUserId: 'a1' }, 'events.0.user_id', 'a1'],
    ['amplitude', { $amplitudeDeviceId: 'd1' }, 'events.0.device_id', 'd1'],
    ['amplitude', { $amplitudeDeviceId: 'd1', $amplitudeUserId: 'a1' }, 'events.0.user_id', 'a1'],
    ['mixpanel', { $mixpanelDistinctId: 'm1' }, '0.properties.distinct_id', 'm1'],
    ['posthog', { $posthogUserId: 'p1' }, 'batch.0.distinct_id', 'p1'],
    ['customerio', { $customerioId: 'c1' }, 'batch.1.identifiers.id', 'c1'],
    [
      'braze',
      { $brazeAliasName: 'n', $brazeAliasLabel: 'l' },
      'purchases.0.user_alias',
      { alias_name: 'n', alias_label: 'l' },
    ],
    ['braze', { $brazeAliasName: 'n' }, 'purchases.0.external_id', 'ada'],
  ])('comes in %s from %j: %s is %j', (type, more, path, value) => {
    expect(bodyOf(type, {}, 'renewal', withAttributes(more))).toHaveProperty(path, value);
  });

  it('has no user id in Amplitude if only the device is known', () => {
    const body = bodyOf('amplitude', {}, 'renewal', withAttributes({ $amplitudeDeviceId: 'd1' }));
    expect(body).not.toHaveProperty('events.0.user_id');
  });

  it('uses the second key for sandbox events', () => {
    const event = renewalWith({ environment: 'SANDBOX' });
    const sandbox_api_key = 'fedcba9876543210fedcba9876543210';
    expect(bodyOf('amplitude', { settings: { sandbox_api_key } }, event).api_key).toBe(sandbox_api_key);
    expect(callsOf('appsflyer', {}, event)[0]?.headers.authentication).toBe('AppsFlyerSandboxKey01');
    const settings = { sandbox_dataset_id: '99999999', sandbox_access_token: 'EAAsandbox01' };
    expect(callsOf('meta', { settings }, event)[0]?.url).toMatch('/99999999/events');
    expect(callsOf('adjust', {}, event)[0]?.body).toContain('environment=sandbox');
  });

  it('has the attributes of the customer, without those of the alias, in Braze', () => {
    const value = (text: string) => ({ value: text, updated_at_ms: 1 });
    const subscriber_attributes = { $email: value('a@example.com'), $brazeAliasName: value('n') };
    const body = bodyOf('braze', {}, renewalWith({ subscriber_attributes })) as { attributes: object[] };
    expect(body.attributes[0]).toHaveProperty(['rc_customer_attribute_$email'], 'a@example.com');
    expect(JSON.stringify(body.attributes)).not.toContain('AliasName');
  });
});

describe('money in a request', () => {
  const refund: DestinationEvent = {
    ...sampleEvent('cancellation'),
    price: -9.99,
    cancel_reason: 'CUSTOMER_SUPPORT',
  };

  it.each<[DestinationType, string]>([
    ['segment', 'batch.1.properties.revenue'],
    ['amplitude', 'events.0.revenue'],
    ['mixpanel', '0.properties.revenue'],
    ['posthog', 'batch.0.properties.revenue'],
    ['customerio', 'batch.1.attributes.revenue'],
    ['braze', 'purchases.0.price'],
  ])('becomes negative for a refund in %s', (type, path) => {
    expect(bodyOf(type, {}, refund)).toHaveProperty(path, -9.99);
  });

  it('becomes negative for a refund in AppsFlyer, and missing in Firebase and Adjust', () => {
    expect(bodyOf('appsflyer', {}, refund).eventValue).toContain('"af_revenue":-9.99');
    expect(bodyOf('firebase', {}, refund)).not.toHaveProperty('events.0.params.value');
    expect(callsOf('adjust', {}, refund)[0]?.body).not.toContain('revenue');
  });

  it.each([
    [0.0009, null],
    [0.001, 'revenue=0.001'],
    [0, null],
  ])('begins in Adjust at 0.001 USD: %d is %s', (price, field) => {
    const [call] = callsOf('adjust', {}, renewalWith({ price }));
    if (field === null) expect(call?.body).not.toContain('revenue');
    else expect(call?.body).toContain(`&${field}&currency=USD`);
  });

  it('disappears if the price is unknown', () => {
    const unknown = renewalWith({ price: null });
    expect(bodyOf('posthog', {}, unknown)).not.toHaveProperty('batch.0.properties.revenue');
    expect(bodyOf('firebase', {}, unknown)).not.toHaveProperty('events.0.params.value');
    expect(bodyOf('appsflyer', {}, unknown).eventValue).not.toContain('af_revenue');
    expect(bodyOf('meta', {}, unknown)).toHaveProperty('data.0.custom_data.value', 0);
  });
});
