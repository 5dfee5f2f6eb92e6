import type { DestinationType, Plan } from './definition.js';
import { awaitedAttributes, definitions } from './destinations.js';
import { type Kind } from './event.js';
import {
  type Destination,
  type Occurrence,
  planDelivery,
  sentEventTypes,
  sentKinds,
} from './plan-delivery.js';
import { SAMPLE_AT_MS, sampleEvent } from './sample-event.js';
import {
  allTypes,
  bodyOf,
  callsOf,
  destinationOf,
  frozenCustomer,
  occurrenceOf,
  planOf,
  renewalWith,
} from './testing/fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZEROED = '00000000-0000-0000-0000-000000000000';

const grant = { ...sampleEvent('initial_purchase'), period_type: 'PROMOTIONAL', store: 'PROMOTIONAL' };
const withAttributes = (attributes: Record<string, string>): Partial<Occurrence> => ({
  customer: frozenCustomer({ attributes }),
});

describe('the plan of a delivery', () => {
  it.each<
    [string, DestinationType, Partial<Destination>, Parameters<typeof planOf>[2], Partial<Occurrence>, Plan]
  >([
    ['on a test clock', 'segment', {}, 'renewal', { isOnTestClock: true }, { skip: 'test_clock' }],
    [
      'before the start',
      'segment',
      { sendFromMs: SAMPLE_AT_MS + 1 },
      'renewal',
      {},
      { skip: 'before_start' },
    ],
    [
      'of a kind without a name',
      'segment',
      { eventNames: { renewal: null } },
      'renewal',
      {},
      { skip: 'event_off' },
    ],
    ['of a kind that is not offered', 'slack', {}, 'expiration', {}, { skip: 'event_off' }],
    ['of a transfer where it has no name', 'segment', {}, 'transfer', {}, { skip: 'event_off' }],
    [
      'of a type without a kind',
      'segment',
      {},
      renewalWith({ type: 'SUBSCRIBER_ALIAS' }),
      {},
      { skip: 'event_off' },
    ],
    ['of a grant', 'firebase', {}, grant, {}, { skip: 'grant' }],
    ['of a grant', 'appsflyer', {}, grant, {}, { skip: 'grant' }],
    ['of a grant', 'meta', {}, grant, {}, { skip: 'grant' }],
    ['of shared access', 'adjust', {}, renewalWith({ is_family_share: true }), {}, { skip: 'family_share' }],
    ['that is too old', 'meta', {}, 'renewal', { nowMs: SAMPLE_AT_MS + 7 * DAY_MS }, { skip: 'too_old' }],
    [
      'that is too old',
      'firebase',
      {},
      'renewal',
      { nowMs: SAMPLE_AT_MS + 72 * HOUR_MS },
      { skip: 'too_old' },
    ],
    [
      'that the channel missed',
      'slack',
      {},
      'renewal',
      { nowMs: SAMPLE_AT_MS + HOUR_MS + 1 },
      { skip: 'too_old' },
    ],
    ['without a key', 'posthog', {}, renewalWith({ environment: 'SANDBOX' }), {}, { skip: 'no_sandbox_key' }],
    ['switched off', 'slack', {}, renewalWith({ environment: 'SANDBOX' }), {}, { skip: 'no_sandbox_key' }],
    [
      'without an app',
      'appsflyer',
      { settings: { ios_app_id: undefined } },
      'renewal',
      {},
      { skip: 'no_stream', detail: 'APP_STORE' },
    ],
    ['of a refund', 'meta', {}, renewalWith({ price: -1 }), {}, { skip: 'no_money_back' }],
    [
      'without an id',
      'adjust',
      {},
      'renewal',
      withAttributes({}),
      { wait: ['$adjustId'], reason: 'missing_attribute' },
    ],
    [
      'with a zeroed id',
      'adjust',
      {},
      'renewal',
      withAttributes({ $adjustId: ZEROED }),
      { wait: ['$adjustId'], reason: 'missing_attribute' },
    ],
    [
      'without an id',
      'firebase',
      {},
      'renewal',
      withAttributes({}),
      { wait: ['$firebaseAppInstanceId'], reason: 'missing_attribute' },
    ],
    [
      'without either id',
      'meta',
      {},
      'renewal',
      withAttributes({ $idfa: ZEROED, $gpsAdId: 'a' }),
      { wait: ['$fbAnonId', '$idfa'], reason: 'missing_attribute' },
    ],
    [
      'without consent',
      'meta',
      {},
      'renewal',
      withAttributes({ $fbAnonId: 'a' }),
      { wait: ['$attConsentStatus'], reason: 'no_consent' },
    ],
    [
      'without an id for too long',
      'adjust',
      {},
      'renewal',
      { ...withAttributes({}), nowMs: SAMPLE_AT_MS + 30 * DAY_MS },
      { skip: 'missing_attribute' },
    ],
    [
      'with a malformed id',
      'firebase',
      {},
      'renewal',
      withAttributes({ $firebaseAppInstanceId: 'x' }),
      { skip: 'bad_attribute', detail: '$firebaseAppInstanceId is not an app instance id.' },
    ],
    [
      'with a long id',
      'posthog',
      {},
      renewalWith({ app_user_id: 'x'.repeat(201) }),
      {},
      { skip: 'bad_attribute', detail: 'PostHog takes ids of at most 200 characters.' },
    ],
    [
      'with a long alias',
      'braze',
      {},
      'renewal',
      withAttributes({ $brazeAliasName: 'é'.repeat(119), $brazeAliasLabel: 'a' }),
      { skip: 'bad_attribute', detail: 'Braze takes aliases of at most 236 bytes.' },
    ],
    [
      'with a long id',
      'customerio',
      {},
      renewalWith({ app_user_id: 'é'.repeat(76) }),
      {},
      { skip: 'bad_attribute', detail: 'Customer.io takes ids of at most 150 bytes.' },
    ],
  ])('for an event %s in %s', (_, type, destination, event, occurrence, plan) => {
    expect(planOf(type, destination, event, occurrence)).toEqual(plan);
  });

  it('sends old events in a replay, and to a chat those that were recorded just now', () => {
    expect(planOf('segment', { sendFromMs: SAMPLE_AT_MS + 1 }, 'renewal', { isReplay: true })).toHaveProperty(
      'send',
    );
    const nowMs = SAMPLE_AT_MS + 30 * DAY_MS;
    expect(planOf('slack', {}, 'renewal', { nowMs, recordedAtMs: nowMs })).toHaveProperty('send');
  });

  it('sends test clocks and every type to HTTP', () => {
    expect(planOf('http', {}, 'renewal', { isOnTestClock: true })).toHaveProperty('send');
    const body = { kind: '{{kind}}', name: '{{name}}' };
    const bodyFor = (event: Parameters<typeof planOf>[2]) => bodyOf('http', { settings: { body } }, event);
    expect(bodyFor('renewal')).toEqual({ kind: 'renewal', name: 'rc_renewal_event' });
    expect(bodyFor(renewalWith({ type: 'SUBSCRIBER_ALIAS' }))).toEqual({
      kind: 'subscriber_alias',
      name: 'subscriber_alias',
    });
  });

  it('sends the name that was chosen', () => {
    const { batch } = bodyOf('posthog', { eventNames: { renewal: 'Renewed' } }) as { batch: object[] };
    expect(batch[0]).toMatchObject({ event: 'Renewed' });
  });

  it('judges granted access where it is no sale', () => {
    const { batch } = bodyOf('posthog', {}, grant) as { batch: object[] };
    expect(batch[0]).toMatchObject({
      event: 'rc_non_subscription_purchase_event',
      properties: { revenue: 0 },
    });
  });

  it('leaves out attributes, emails, phone numbers and addresses if asked to', () => {
    const event = renewalWith({ subscriber_attributes: { plan: { value: 'gold', updated_at_ms: 1 } } });
    const personal = withAttributes({
      $email: 'ada@example.com',
      $phoneNumber: '+15550102030',
      $ip: '192.0.2.1',
      ...frozenCustomer().attributes,
    });
    for (const type of allTypes) {
      const bodies = (attributes: 'all' | 'none') =>
        JSON.stringify(callsOf(type, { attributes }, event, personal));
      expect(bodies('none')).not.toMatch(/gold|192\.0\.2\.1|ada@example|"em"|"ph"/);
    }
    expect(JSON.stringify(bodyOf('meta', {}, event, personal))).toMatch(/"em":.*"ph":.*192\.0\.2\.1/);
    expect(JSON.stringify(bodyOf('segment', {}, event, personal))).toContain('gold');
  });

  it('leaves out attributes and then all but ten ids from a request that is too large', () => {
    const large = { a: { value: 'x'.repeat(40_000), updated_at_ms: 1 } };
    const [first] = callsOf('segment', {}, renewalWith({ subscriber_attributes: large }));
    expect(first?.body).toContain('"subscriber_attributes":{}');
    const aliases = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(1000, 'x'));
    const { batch } = bodyOf('segment', {}, renewalWith({ aliases })) as {
      batch: { traits: { aliases: string[] } }[];
    };
    expect(batch[0]?.traits.aliases).toHaveLength(10);
    expect(planOf('segment', {}, renewalWith({ product_id: 'x'.repeat(40_000) }))).toEqual({
      skip: 'too_large',
    });
  });
});

describe('the kinds of a destination', () => {
  it('come from its names', () => {
    expect(sentKinds(destinationOf('meta', { eventNames: { renewal: null } }))).not.toContain('renewal');
    expect(sentEventTypes(destinationOf('meta'))).toEqual([
      'initial_purchase',
      'renewal',
      'non_renewing_purchase',
    ]);
  });

  it('come from the tokens of Adjust', () => {
    expect(sentKinds(destinationOf('adjust'))).toEqual<Kind[]>([
      'initial_purchase',
      'renewal',
      'cancellation',
    ]);
    expect(planOf('adjust', {}, 'expiration')).toEqual({ skip: 'event_off' });
    // Android has no token for cancellations.
    const event = { ...sampleEvent('cancellation'), store: 'PLAY_STORE' };
    expect(planOf('adjust', {}, event)).toEqual({ skip: 'event_off' });
  });
});

it('never reads more than the definition says', () => {
  for (const { id, reads, requires } of definitions) {
    expect(reads).toEqual(expect.arrayContaining([...requires]));
    const read = new Set<string>();
    const attributes = new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      },
    );
    planDelivery(destinationOf(id), occurrenceOf('renewal', { customer: frozenCustomer({ attributes }) }));
    expect(reads).toEqual(expect.arrayContaining([...read]));
  }
  expect([...awaitedAttributes].sort()).toEqual([
    '$adjustId',
    '$appsflyerId',
    '$attConsentStatus',
    '$fbAnonId',
    '$firebaseAppInstanceId',
    '$gpsAdId',
    '$idfa',
  ]);
});
