import fc from 'fast-check';
import { type IntakeTerms, readSdkEvents } from './sdk-event.policy.js';

const NOW = Date.UTC(2026, 8, 1);
const DAY_MS = 86_400_000;
const terms: IntakeTerms = {
  setting: 'all',
  nowMs: NOW,
  retentionDays: 400,
  paywallOf: () => null,
  signedInAppUserId: null,
};
const impression = {
  type: 'paywall_impression',
  id: '298207f4-87af-4b57-a581-eb27bcc6e009',
  app_user_id: 'ada',
  timestamp: NOW,
};

function read(body: unknown, more: Partial<IntakeTerms> = {}) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const { events, dropped } = readSdkEvents(bytes, { ...terms, ...more });
  return { events, dropped: Object.fromEntries(dropped) };
}

const readOne = (event: object, more: Partial<IntakeTerms> = {}) => read({ events: [event] }, more);

describe('bodies', () => {
  it.each(['', '{', '[]', '"x"', 'null', '{}', '{"events": {}}', '{"events": null}', 'x'.repeat(1_000)])(
    'counts %j as malformed',
    (body) => {
      expect(read(body)).toEqual({ events: [], dropped: { malformed: 1 } });
    },
  );

  it('counts a route without a body as malformed', () => {
    expect(readSdkEvents(undefined, terms).dropped).toEqual(new Map([['malformed', 1]]));
  });

  it('does not parse what is costly to parse', () => {
    const deep = `{"events": [${'['.repeat(100)}${']'.repeat(100)}]}`;
    const wide = `{"events": [{${Array.from({ length: 30_001 }, (_, n) => `"k${n}":1`).join()}}]}`;
    for (const body of [deep, wide]) expect(read(body).dropped).toEqual({ malformed: 1 });
  });

  it('reads the first 500 events', () => {
    const events = Array.from({ length: 503 }, (_, n) => ({ ...impression, id: `e${n}` }));
    const { events: stored, dropped } = read({ events });
    expect([stored.length, dropped]).toEqual([500, { too_many: 3 }]);
  });

  it('reads the events beside those it drops', () => {
    const { events, dropped } = read({ events: [null, 7, [], {}, { type: 'sdk_initialized' }, impression] });
    expect([events.length, dropped]).toEqual([1, { invalid: 3, unknown_type: 2 }]);
  });

  it('survives any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom('all', 'essential', 'off'),
        (value, setting) => {
          read(value, { setting });
          read({ events: value }, { setting });
          read({ events: [value, { ...impression, properties: value, context: value }] }, { setting });
          read({ events: [{ ...impression, presented_offering_context: value }] }, { setting });
        },
      ),
    );
  });
});

describe('an event', () => {
  it.each([
    ['no id', { id: undefined }],
    ['an id of another type', { id: 7 }],
    ['an empty id', { id: '' }],
    ['no app user id', { app_user_id: undefined }],
    ['an app user id that no customer can have', { app_user_id: 'null' }],
    ['an app user id that is too long', { app_user_id: 'x'.repeat(101) }],
    ['no time', { timestamp: undefined }],
    ['a time as text', { timestamp: '2026-01-01' }],
    ['a time before 1970', { timestamp: -1 }],
    ['a long text', { offering_id: 'x'.repeat(501) }],
    ['a long error message', { type: 'paywall_purchase_error', error_message: 'x'.repeat(1_001) }],
    ['a NUL', { offering_id: 'a\0b' }],
    ['a lone surrogate', { locale: '\ud800' }],
    ['41 keys', Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`k${n}`, 1]))],
    [
      '41 nested keys',
      { properties: Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`k${n}`, 1])) },
    ],
  ])('with %s is invalid', (_, change) => {
    expect(readOne({ ...impression, ...change })).toEqual({ events: [], dropped: { invalid: 1 } });
  });

  it('with an infinite number is invalid', () => {
    const body = JSON.stringify({ events: [{ ...impression, paywall_revision: 9 }] }).replace(':9', ':1e999');
    expect(read(body).dropped).toEqual({ invalid: 1 });
  });

  it.each([
    [
      'an error message of 1,000 characters',
      { type: 'paywall_purchase_error', error_message: 'x'.repeat(1_000) },
    ],
    ['a long address that is not stored', { page_url: 'x'.repeat(5_000) }],
    ['null values', { paywall_id: null, presented_offering_context: null, display_mode: null }],
    ['values of other types', { offering_id: {}, session_id: [1], paywall_revision: { a: 1 } }],
  ])('with %s is stored', (_, change) => {
    expect(readOne({ ...impression, ...change }).events).toHaveLength(1);
  });

  it('loses what is not listed for its kind', () => {
    const personal = { user_agent: 'x', ip: '1.2.3.4', page_url: 'x', utm_source: 'x', package_id: 'x' };
    const [event] = readOne({ ...impression, ...personal, display_mode: 'full_screen' }).events;
    expect(event?.data).toEqual({ display_mode: 'full_screen' });
  });

  it('has an id of its own if the SDK sends no UUID', () => {
    const ids = ['1', '1', '2', impression.id, impression.id.toUpperCase()].map(
      (id) => readOne({ ...impression, id }).events[0]?.id,
    );
    expect(ids[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect([ids[1], ids[4]]).toEqual([ids[0], ids[3]]);
    expect(new Set(ids).size).toBe(3);
  });

  it('belongs to the signed-in customer', () => {
    const names = [{ app_user_id: 'eve' }, { app_user_id: undefined }, { app_user_id: 'x'.repeat(200) }];
    for (const name of names) {
      const [event] = readOne({ ...impression, ...name }, { signedInAppUserId: 'ada' }).events;
      expect(event?.appUserId).toBe('ada');
    }
  });

  it.each([
    [NOW + DAY_MS, NOW + DAY_MS, false],
    [NOW + DAY_MS + 1, NOW, true],
    [Number.MAX_SAFE_INTEGER, NOW, true],
    [NOW - 400 * DAY_MS, NOW - 400 * DAY_MS, false],
    [NOW - 0.5, NOW - 1, false],
  ])('stores an event of %d at %d', (timestamp, atMs, isClockWrong) => {
    expect(readOne({ ...impression, timestamp }).events).toEqual([
      expect.objectContaining({ atMs, isClockWrong }),
    ]);
  });

  it('older than the retention is dropped', () => {
    const timestamp = NOW - 400 * DAY_MS - 1;
    expect(readOne({ ...impression, timestamp }).dropped).toEqual({ too_old: 1 });
  });

  it.each([
    ['paywall_id', { paywall_id: 'a', paywall_rc_public_id: 'b' }, 'a'],
    [
      'the public id of web SDKs',
      { paywall_rc_public_id: 'b', presented_offering_context: { paywall_id: 'c' } },
      'b',
    ],
    ['the offering', { presented_offering_context: { paywall_id: 'c' }, workflow_id: 'wfd' }, 'c'],
    ['the workflow', { workflow_id: 'wfpw1', paywall_rc_public_id: null }, 'pw1'],
    ['the workflow of properties', { properties: { workflow_id: 'wfpw1' } }, 'pw1'],
    ['nothing, for a foreign workflow', { workflow_id: 'other' }, null],
    ['nothing', {}, null],
  ])('names its paywall by %s', (_, change, paywallId) => {
    expect(readOne({ ...impression, ...change }).events[0]?.paywallId).toBe(paywallId);
  });
});

describe('the setting of the project', () => {
  const touch = { ...impression, type: 'paywall_component_interacted' };

  it.each([
    ['paywall_impression', {}, true],
    ['paywall_close', {}, true],
    ['paywall_purchase_initiated', {}, true],
    ['custom_paywall_impression', {}, true],
    ['customer_center_survey_option_chosen', {}, true],
    ['checkpoint_hit', {}, true],
    ['workflow_close', {}, true],
    ['workflow_step_started', {}, false],
    ['workflow_step_completed', {}, false],
    ['rc_ads_ad_revenue', {}, true],
    ['rc_ads_ad_displayed', {}, true],
    ['rc_ads_ad_loaded', {}, false],
    ['rc_ads_ad_reward_sdk_verified', {}, false],
    [touch.type, { component_type: 'purchase_button' }, true],
    [touch.type, { component_type: 'tab' }, false],
    [touch.type, {}, false],
  ])('decides whether %s with %j is essential', (type, change, isEssential) => {
    const event = { ...impression, ...change, type };
    expect(readOne(event).dropped).toEqual({});
    expect(readOne(event, { setting: 'essential' }).dropped).toEqual(isEssential ? {} : { not_essential: 1 });
    expect(readOne(event, { setting: 'off' })).toEqual({ events: [], dropped: { off: 1 } });
  });

  it('takes the published paywall of the offering only if the event names none', () => {
    const paywallOf = (offering: string) => (offering === 'default' ? 'pwpublished' : null);
    const paywallIdOf = (more: object) =>
      readOne({ ...impression, ...more }, { paywallOf }).events[0]?.paywallId;
    expect(paywallIdOf({ offering_id: 'default' })).toBe('pwpublished');
    expect(paywallIdOf({ offering_id: 'other' })).toBeNull();
    expect(paywallIdOf({ offering_id: 'default', paywall_id: 'pwown' })).toBe('pwown');
    expect(paywallIdOf({ offering_id: 'default', workflow_id: 'wfpwflow' })).toBe('pwflow');
  });
});
