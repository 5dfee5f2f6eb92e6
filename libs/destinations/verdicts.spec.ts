import type { CallResponse, DestinationType, Verdict } from './definition.js';
import { definitionOf } from './destinations.js';
import { verdictOf } from './verdicts.js';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

const response = (
  status: number,
  body: unknown = '',
  headers: Record<string, string> = {},
): CallResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const verdict = (type: DestinationType, answer: CallResponse | null, step = 0) =>
  verdictOf(definitionOf(type), answer, step, NOW_MS);

describe('the default verdict', () => {
  it.each<[number, Verdict['class']]>([
    [200, 'delivered'],
    [204, 'delivered'],
    [301, 'rejected'],
    [400, 'rejected'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'rejected'],
    [408, 'retry'],
    [410, 'gone'],
    [413, 'rejected'],
    [422, 'rejected'],
    [425, 'retry'],
    [429, 'limited'],
    [500, 'retry'],
    [503, 'retry'],
  ])('for %i is %s', (status, expected) => {
    expect(verdict('segment', response(status)).class).toBe(expected);
  });

  it('retries without an answer', () => {
    expect(verdict('segment', null)).toEqual({ class: 'retry' });
  });

  it.each<[string | undefined, number]>([
    [undefined, 30_000],
    ['', 30_000],
    ['soon', 30_000],
    ['5', 5_000],
    ['0', 1_000],
    ['999999', 3_600_000],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 1_000],
  ])('waits after a Retry-After of %j for %i ms', (header, waitMs) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
    expect(verdict('segment', response(429, '', headers))).toEqual({ class: 'limited', waitMs });
  });

  it.each([
    [{ message: 'too long' }, 'too long'],
    [{ error: 'too long' }, 'too long'],
    [{ error: { message: 'too long' } }, 'too long'],
    ['no JSON', undefined],
    [[], undefined],
  ])('explains a rejection with %j', (body, detail) => {
    expect(verdict('segment', response(400, body)).detail).toBe(detail);
  });
});

describe('the verdict of a tool', () => {
  it.each<[DestinationType, CallResponse, Verdict, number?]>([
    [
      'amplitude',
      response(400, { error: 'invalid API KEY: x' }),
      { class: 'refused', detail: 'Invalid API key' },
    ],
    [
      'amplitude',
      response(400, { error: 'Bad', events_with_invalid_fields: { time: [0] } }),
      { class: 'rejected', detail: 'Bad (time)' },
    ],
    ['amplitude', response(429, '', { 'retry-after': '600' }), { class: 'limited', waitMs: 30_000 }],
    [
      'mixpanel',
      response(400, { failed_records: [{ message: "'distinct_id' is invalid" }] }),
      { class: 'rejected', detail: "'distinct_id' is invalid" },
    ],
    ['mixpanel', response(401, { error: 'Unauthorized' }), { class: 'refused' }],
    [
      'mixpanel',
      response(200, { status: 0, error: 'bad token' }),
      { class: 'rejected', detail: 'bad token' },
      1,
    ],
    ['mixpanel', response(200, { status: 1 }), { class: 'delivered' }, 1],
    ['posthog', response(401), { class: 'refused' }],
    ['posthog', response(200, { status: 1, quota_limited: [] }), { class: 'delivered' }],
    [
      'posthog',
      response(200, { quota_limited: ['events'] }),
      { class: 'rejected', detail: "PostHog's quota is used up" },
    ],
    [
      'customerio',
      response(207, { errors: [{ batch_index: 1, reason: 'required' }] }),
      { class: 'rejected', detail: 'required' },
    ],
    ['customerio', response(207, { errors: [] }), { class: 'delivered' }],
    ['customerio', response(301), { class: 'refused', detail: 'Choose the region of your account' }],
    ['braze', response(201, { message: 'success' }), { class: 'delivered' }],
    [
      'braze',
      response(201, { errors: [{ type: "'price' is not valid", index: 0 }] }),
      { class: 'rejected', detail: "'price' is not valid" },
    ],
    ['braze', response(404), { class: 'refused', detail: 'Choose the instance of your account' }],
    [
      'braze',
      response(429, '', { 'x-ratelimit-reset': String(NOW_MS / 1000 + 90) }),
      { class: 'limited', waitMs: 90_000 },
    ],
    ['firebase', response(204), { class: 'delivered', detail: 'Accepted, not checked by Google' }],
    ['appsflyer', response(404), { class: 'refused', detail: 'There is no such app' }],
    ['adjust', response(400, { error: 'Earlier unique event tracked' }), { class: 'duplicate' }],
    ['adjust', response(400, { error: 'Bad event state' }), { class: 'rejected', detail: 'Bad event state' }],
    ['adjust', response(403), { class: 'refused' }],
    [
      'adjust',
      response(404, { error: 'App token not found' }),
      { class: 'refused', detail: 'App token not found' },
    ],
    [
      'adjust',
      response(404, { error: 'Device not found' }),
      { class: 'rejected', detail: 'Device not found' },
    ],
    ['adjust', response(451), { class: 'opted_out' }],
    [
      'meta',
      response(400, { error: { code: 190, message: 'expired' } }),
      { class: 'refused', detail: 'expired' },
    ],
    ['meta', response(400, { error: { code: 10 } }), { class: 'refused' }],
    ['meta', response(400, { error: { code: 200 } }), { class: 'refused' }],
    ['meta', response(400, { error: { code: 299 } }), { class: 'refused' }],
    ['meta', response(400, { error: { code: 4 } }), { class: 'limited', waitMs: 300_000 }],
    ['meta', response(400, { error: { code: 80_004 } }), { class: 'limited', waitMs: 300_000 }],
    ['meta', response(500, { error: { code: 2 } }), { class: 'retry' }],
    ['meta', response(400, { error: { code: 100, is_transient: true } }), { class: 'retry' }],
    [
      'meta',
      response(400, { error: { code: 100, message: 'Invalid', error_user_msg: 'Too old' } }),
      { class: 'rejected', detail: 'Too old' },
    ],
    ['slack', response(404, 'no_service'), { class: 'refused', detail: 'no_service' }],
    ['slack', response(400, 'invalid_token'), { class: 'refused', detail: 'invalid_token' }],
    ['slack', response(410, 'channel_is_archived'), { class: 'gone' }],
    ['slack', response(400, 'invalid_payload'), { class: 'rejected' }],
    [
      'discord',
      response(404, { message: 'Unknown Webhook' }),
      { class: 'refused', detail: 'Unknown Webhook' },
    ],
    ['discord', response(429, { retry_after: 1.337 }), { class: 'limited', waitMs: 1_337 }],
    [
      'discord',
      response(400, { message: 'Invalid Form Body' }),
      { class: 'rejected', detail: 'Invalid Form Body' },
    ],
    ['http', response(400), { class: 'retry' }],
    ['http', response(401), { class: 'retry' }],
    ['http', response(302), { class: 'retry' }],
    ['http', response(410), { class: 'gone' }],
    ['http', response(429), { class: 'limited', waitMs: 30_000 }],
    ['http', response(202), { class: 'delivered' }],
  ])('%s: %j is %j', (type, answer, expected, step = 0) => {
    expect(verdict(type, answer, step)).toEqual(expected);
  });
});

describe('the verdict of a test event', () => {
  it.each<[DestinationType, CallResponse, Verdict['class'] | undefined]>([
    ['firebase', response(200, { validationMessages: [] }), 'delivered'],
    ['firebase', response(200, { validationMessages: [{ description: 'bad' }] }), 'rejected'],
    ['appsflyer', response(400), 'delivered'],
    ['appsflyer', response(401), undefined],
    ['adjust', response(404, { error: 'Device not found' }), 'delivered'],
    ['adjust', response(404, { error: 'App token not found' }), undefined],
  ])('%s: %j is %s', (type, answer, expected) => {
    expect(definitionOf(type).testVerdict?.(answer)?.class).toBe(expected);
  });
});
