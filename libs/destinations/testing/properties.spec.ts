import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  answerTo,
  DestinationFakes,
  fakeTools,
} from '../../../test/support/destination-fakes/destination-fakes.js';
import type { Call, DestinationType } from '../definition.js';
import { definitionOf } from '../destinations.js';
import type { DestinationEvent } from '../event.js';
import { planDelivery } from '../plan-delivery.js';
import { revenueOf } from '../revenue.js';
import { SAMPLE_AT_MS } from '../sample-event.js';
import { maskSecrets, secretsOf } from '../settings/masking.js';
import { verdictOf } from '../verdicts.js';
import { anyEvent } from './arbitraries.js';
import { bodySchemas } from './body-schemas.js';
import { allTypes, destinationOf, occurrenceOf, renewalWith } from './fixture.js';

const ajv = new Ajv2020({ strict: false });
const validators = Object.fromEntries(
  allTypes.map((type) => [type, bodySchemas[type].map((schema) => ajv.compile(schema))]),
);
const nowMs = () => SAMPLE_AT_MS + 1000;

function planned(type: DestinationType, event: DestinationEvent): Call[] {
  const plan = planDelivery(destinationOf(type), occurrenceOf(event));
  return 'send' in plan ? plan.send : [];
}

const parsedBody = (type: DestinationType, { body }: Call): unknown =>
  type === 'adjust' ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);

describe.each(allTypes)('every plan for %s', (type) => {
  it('has the form that the tool documents', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        planned(type, event).forEach((call, step) => {
          const validate = validators[type]?.[type === 'firebase' ? 0 : step];
          expect([validate?.(parsedBody(type, call)), validate?.errors]).toEqual([true, null]);
          expect(Buffer.byteLength(call.body)).toBeLessThanOrEqual(definitionOf(type).maxBodyBytes);
        });
      }),
    );
  });

  it('has the same bytes each time, and changes nothing that it was built from', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const before = JSON.stringify(event);
        expect(planned(type, structuredClone(event))).toEqual(planned(type, event));
        expect(JSON.stringify(event)).toBe(before);
      }),
    );
  });

  it('shows no secret once masked', () => {
    const { settings } = destinationOf(type);
    const secrets = secretsOf(definitionOf(type).settings, settings);
    fc.assert(
      fc.property(anyEvent, (event) => {
        const masked = maskSecrets(JSON.stringify(planned(type, event)), secrets);
        for (const secret of secrets) expect(masked).not.toContain(secret);
      }),
      { numRuns: 30 },
    );
  });

  it('gets accepted by the tool', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const tool = fakeTools(nowMs)[type];
        planned(type, event).forEach((call, step) => {
          const { status, body = '', headers = {} } = answerTo(tool, call);
          const answered = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
          expect(verdictOf(definitionOf(type), answered, step, nowMs())).toMatchObject({
            class: 'delivered',
          });
        });
      }),
    );
  });

  it('counts once if it is sent twice, where the tool recognizes repeated events', () => {
    const tool = fakeTools(nowMs)[type];
    const calls = planned(type, renewalWith({}));
    for (const call of [...calls.slice(0, 1), ...calls.slice(0, 1)]) answerTo(tool, call);
    const isRecognized = definitionOf(type).deduplicates || type === 'http';
    // The second message comes too early for Slack.
    expect(tool.events).toHaveLength(isRecognized || type === 'slack' ? 1 : 2);
  });
});

it.each(['segment', 'amplitude', 'mixpanel', 'posthog', 'customerio', 'braze', 'appsflyer'] as const)(
  'brings the revenue of all events to %s',
  (type) => {
    fc.assert(
      fc.property(fc.uniqueArray(anyEvent, { selector: ({ id }) => id, maxLength: 20 }), (events) => {
        const tool = fakeTools(nowMs)[type];
        let micros = 0;
        for (const event of events) {
          const calls = planned(type, event);
          if (calls[0]) answerTo(tool, calls[0]);
          if (calls[0]) micros += Math.round((revenueOf(event, 'gross').revenue ?? 0) * 1e6);
        }
        expect(Math.round(tool.revenue() * 1e6)).toBe(micros);
      }),
      { numRuns: 30 },
    );
  },
);

describe('a tool behind the server of the fakes', () => {
  const fakes = new DestinationFakes(nowMs);
  beforeAll(() => fakes.start());
  afterAll(() => fakes.close());

  it('receives what was sent to its own host', async () => {
    for (const type of allTypes) {
      for (const { method, url, headers, body } of planned(type, renewalWith({}))) {
        const { pathname, search } = new URL(url);
        const answer = await fetch(`${fakes.url}/${type}${pathname}${search}`, { method, headers, body });
        expect([type, answer.ok]).toEqual([type, true]);
      }
      expect([type, fakes.tools[type].events.length]).toEqual([type, 1]);
    }
    expect(fakes.tools.mixpanel.charges).toEqual([{ user: 'ada', amount: 10.86 }]);
    expect((await fetch(`${fakes.url}/nothing/`)).status).toBe(404);
  });

  it('answers as a test scripts', async () => {
    fakes.tools.posthog.interfere = () => ({ status: 503 });
    expect((await fetch(`${fakes.url}/posthog/batch/`, { method: 'POST' })).status).toBe(503);
  });
});
