import type { DestinationType, Settings, TestContext } from '../definition.js';
import { definitionOf } from '../destinations.js';
import { SAMPLE_AT_MS, sampleEvent } from '../sample-event.js';
import { destinationOf } from '../testing/fixture.js';

const context: TestContext = {
  projectName: 'My <project>',
  eventId: 'A6F3D1C2-0000-4000-8000-000000000001',
  nowMs: SAMPLE_AT_MS,
  webhookEvent: { ...sampleEvent('renewal'), type: 'TEST' },
};

const testOf = (type: DestinationType, settings: Settings = {}) =>
  definitionOf(type).test(context, destinationOf(type, { settings }).settings);

describe('a test event', () => {
  it.each<[DestinationType, RegExp, RegExp]>([
    ['segment', /v1\/batch$/, /^\{"batch":\[\{"type":"track".*"userId":"tenure-test"/],
    ['amplitude', /2\/httpapi$/, /"event_type":"rc_test_event","user_id":"tenure-test"/],
    ['mixpanel', /import\?strict=1$/, /"event":"rc_test_event".*"distinct_id":"tenure-test"/],
    ['posthog', /batch\/$/, /"event":"rc_test_event","distinct_id":"tenure-test"/],
    [
      'customerio',
      /api\/v2\/batch$/,
      /^\{"batch":\[\{"type":"person","identifiers":\{"id":"tenure-test"\},"action":"event"/,
    ],
    ['braze', /users\/track$/, /^\{"events":\[\{"external_id":"tenure-test"/],
    ['firebase', /\/debug\/mp\/collect\?/, /"validation_behavior":"ENFORCE_RECOMMENDATIONS"/],
    ['appsflyer', /inappevent\/id123456789$/, /^\{"appsflyer_id":""/],
    ['adjust', /event$/, /environment=sandbox&idfa=00000000-0000-0000-0000-000000000000/],
    [
      'slack',
      /services/,
      /^\{"text":"Test message from Tenure. This channel is connected to \*My &lt;project&gt;\*."\}$/,
    ],
    ['discord', /wait=true$/, /connected to \*\*My \\\\<project\\\\>\*\*/],
    ['http', /hook$/, /"type":"TEST"/],
  ])('goes for %s to %s as %s', (type, url, body) => {
    const call = testOf(type);
    expect(call).toMatchObject({
      url: expect.stringMatching(url) as string,
      body: expect.stringMatching(body) as string,
    });
    expect(JSON.stringify(call)).not.toMatch(/"\$set"|"identify"|"rc_subscription_status"/);
  });

  it('needs a code or a dataset for sandbox events in Meta', () => {
    expect(testOf('meta')).toMatchObject({ param: 'settings.test_event_code' });
    expect(testOf('meta', { test_event_code: 'TEST1' })).toMatchObject({
      body: expect.stringContaining('"test_event_code":"TEST1"') as string,
    });
    const sandbox = { sandbox_dataset_id: '99999999', sandbox_access_token: 'EAAsandbox01' };
    expect(testOf('meta', sandbox)).toMatchObject({ url: expect.stringContaining('/99999999/') as string });
  });

  it('uses the key for sandbox events if there is one', () => {
    const sandbox_api_key = 'fedcba9876543210fedcba9876543210';
    expect(testOf('amplitude', { sandbox_api_key })).toMatchObject({
      body: expect.stringContaining(sandbox_api_key) as string,
    });
  });
});
