import { definitionOf } from './destinations.js';
import { type Reason, type ReasonFacts, reasonText, waitUntilMs } from './reasons.js';

const tool = definitionOf('adjust');
const firebase = definitionOf('firebase');
const slack = definitionOf('slack');
const UNTIL_MS = Date.UTC(2026, 11, 27, 9, 41);

describe('the text of a reason', () => {
  it.each<[Reason, Partial<ReasonFacts>, string]>([
    [
      'missing_attribute',
      { status: 'waiting', missing: ['$adjustId'], untilMs: UNTIL_MS },
      'This customer has no $adjustId yet. The event is sent when it arrives, until 2026-12-27.',
    ],
    [
      'missing_attribute',
      { missing: ['$fbAnonId', '$idfa'] },
      'This customer had no $fbAnonId or $idfa for 30 days.',
    ],
    [
      'missing_attribute',
      { tool: firebase, missing: ['$firebaseAppInstanceId'] },
      'This customer had no $firebaseAppInstanceId for 3 days.',
    ],
    ['no_consent', { status: 'waiting' }, 'This customer has not allowed tracking ($attConsentStatus).'],
    ['too_old', { tool: definitionOf('meta') }, 'Meta takes no events older than 7 days.'],
    ['too_old', { tool: slack }, 'The channel was busy for more than an hour.'],
    ['no_stream', { detail: 'STRIPE' }, 'There is no app of this destination for STRIPE purchases.'],
    [
      'rejected',
      { detail: '"distinct_id" is not allowed' },
      'Adjust did not accept the event: "distinct_id" is not allowed',
    ],
    ['rejected', {}, 'Adjust did not accept the event.'],
    ['too_large', { tool: definitionOf('appsflyer') }, 'The event is larger than AppsFlyer allows (1 kB).'],
    ['gave_up', { responseStatus: 503 }, 'Six attempts failed; the last answer was 503.'],
    ['gave_up', { responseStatus: null }, 'Six attempts failed; the last one got no answer.'],
    ['quiet', { tool: slack, untilMs: UNTIL_MS }, 'Slack asked for a pause until 09:41 UTC.'],
    ['bad_attribute', { detail: '$x is not an id.' }, '$x is not an id.'],
  ])('%s with %j', (reason, facts, text) => {
    expect(reasonText(reason, { status: 'skipped', tool, ...facts })).toBe(text);
  });
});

it('waits for 30 days, or until the tool takes the event no more', () => {
  expect(waitUntilMs(tool, 0)).toBe(30 * 86_400_000);
  expect(waitUntilMs(firebase, 0)).toBe(71 * 3_600_000);
});
