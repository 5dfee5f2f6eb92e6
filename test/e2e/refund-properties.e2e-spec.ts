import fc from 'fast-check';
import type { ApiAnswer } from '../support/fake-app-store/fake-server-api.js';
import { serverError, unauthorized } from '../support/fake-app-store/fake-server-api.js';
import type { Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { FakeNotification, FakeSubscription } from '../support/fake-app-store/fake-subscription.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENDS = ['sent', 'refused', 'expired', 'not_wanted'];

const refusal: ApiAnswer = { status: 400, body: { errorCode: 4000036, errorMessage: 'Invalid.' } };
const appleAnswers = { accepted: undefined, refused: refusal, busy: serverError, unauthorized } as const;
type AppleAnswer = keyof typeof appleAnswers;

const reasons = ['UNINTENDED_PURCHASE', 'LEGAL', 'OTHER'];
const anyCondition = fc.oneof(
  fc.record({
    field: fc.constant('refund_reason'),
    operator: fc.constantFrom('in', 'not in'),
    value: fc.subarray([...reasons, 'NONE'], { minLength: 1 }),
  }),
  fc.record({
    field: fc.constant('days_since_purchase'),
    operator: fc.constantFrom('<', '>='),
    value: fc.integer({ min: 0, max: 20 }),
  }),
  fc.record({
    field: fc.constant('requests_before'),
    operator: fc.constantFrom('<', '>='),
    value: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    field: fc.constant('custom_attribute'),
    operator: fc.constantFrom('in', 'not in'),
    value: fc.subarray(['gold', 'silver'], { minLength: 1 }),
    context: fc.constant('plan'),
  }),
);
const anyPolicy = fc.record({
  display_name: fc.constant('A policy'),
  preference: fc.constantFrom('grant_full', 'grant_prorated', 'decline', 'do_not_answer'),
  hold_minutes: fc.constantFrom(0, 60, 1_440),
  conditions: fc.array(anyCondition, { maxLength: 2 }),
});
const anyRequest = fc.record({
  days: fc.integer({ min: 0, max: 20 }),
  reason: fc.option(fc.constantFrom(...reasons), { nil: undefined }),
  plan: fc.option(fc.constantFrom('gold', 'silver', 'bronze')),
  repeats: fc.integer({ min: 1, max: 2 }),
});

describe('the desk with any refund requests', () => {
  let world: AppStoreWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  beforeEach(() =>
    world.configure({
      ...world.keyFields,
      refund_request_handling: 'policies',
      refund_data_consent: 'all_customers',
    }),
  );
  afterAll(() => world.close());

  const policies = (): string => `${world.path}/refund_policies`;
  const list = async (): Promise<Json[]> =>
    (await world.backend.get(`${world.path}/refund_requests?limit=100`)).body.items;
  /** Requests and policies of one case are gone before the next. */
  const forget = async (): Promise<void> => {
    world.api.interfere = () => undefined;
    await world.server.dataSource.query('DELETE FROM refund_requests WHERE project_id = $1', [
      world.projectId,
    ]);
    for (const { id, is_default } of (await world.backend.get(policies())).body.items)
      if (!is_default) await world.backend.delete(`${policies()}/${id}`);
  };
  const subscribe = async (plan: string | null): Promise<FakeSubscription> => {
    const user = `asking-${++count}`;
    const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
    await world.post(user, subscription.signed());
    const attributes = { plan: { value: plan } };
    if (plan !== null) await world.backend.post(`/v1/subscribers/${user}/attributes`, { attributes });
    world.clock.advanceMs(1);
    return subscription;
  };

  it('decides them as the preview of the saved policies does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPolicy, { maxLength: 3 }),
        fc.array(anyRequest, { minLength: 1, maxLength: 4 }),
        async (saved, requests) => {
          await forget();
          for (const policy of saved) expect((await world.backend.post(policies(), policy)).status).toBe(201);
          let expected = 0;
          for (const { days, reason, plan, repeats } of requests) {
            const subscription = await subscribe(plan);
            world.clock.advanceMs(days * DAY_MS);
            for (let n = 0; n < repeats; n++, expected++) {
              await world.notify(subscription.askConsumption(undefined, reason));
              world.clock.advanceMs(1);
            }
          }
          const answer = await world.backend.post(`${policies()}/actions/preview`, {});
          expect(answer.body).toMatchObject({ requests: expected, approximate: 0, changed: [] });
          const decided = (await list()).map(({ preference }) => preference as string).sort();
          const previewed = (answer.body.by_preference as Json[]).flatMap(({ preference, requests: found }) =>
            Array.from({ length: found }, () => preference as string),
          );
          expect(previewed.sort()).toEqual(decided);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('ends each exactly once: sent, refused, expired or not wanted', async () => {
    const anyLife = fc.record({
      settings: fc.record({
        refund_request_handling: fc.constantFrom(null, 'grant_full', 'decline', 'policies'),
        refund_data_consent: fc.constantFrom(null, 'all_customers', 'all_customers'),
      }),
      hasOwner: fc.boolean(),
      isLate: fc.boolean(),
      person: fc.constantFrom('none', 'none', 'answer', 'do_not_answer'),
      /** What Apple answers, one by one; the last one from then on. */
      apple: fc.array(fc.constantFrom<AppleAnswer>('accepted', 'refused', 'busy', 'unauthorized'), {
        minLength: 1,
        maxLength: 3,
      }),
      waits: fc.array(fc.integer({ min: 1, max: 8 * HOUR_MS }), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        anyPolicy,
        anyLife,
        async (policy, { settings, hasOwner, isLate, person, apple, waits }) => {
          await forget();
          await world.backend.post(policies(), policy);
          await world.configure({ ...world.keyFields, ...settings });
          const accepted: FakeNotification[] = [];
          let calls = 0;
          const subscription = hasOwner
            ? await subscribe(null)
            : world.store.subscribe(world.store.account(), fakeProducts.monthly);
          const notification = subscription.askConsumption();
          world.api.interfere = ({ path }) => {
            if (!path.includes('/consumption/')) return undefined;
            const answer = appleAnswers[apple[Math.min(calls++, apple.length - 1)] as AppleAnswer];
            if (answer === undefined) accepted.push(notification);
            return answer;
          };
          if (isLate) world.clock.advanceMs(13 * HOUR_MS);
          await world.notify(notification);
          const ends: string[] = [];
          const look = async (): Promise<Json> => {
            const [request, ...others] = await list();
            expect(others).toEqual([]);
            if (ENDS.includes(request?.answer_status)) ends.push(request?.answer_status as string);
            return request ?? {};
          };
          const { id } = await look();
          const action = `${world.path}/refund_requests/${id}/actions/${person}`;
          if (person !== 'none')
            await world.backend.post(action, person === 'answer' ? { preference: 'neutral' } : {});
          for (const waitMs of [...waits, 13 * HOUR_MS, DAY_MS]) {
            world.clock.advanceMs(waitMs);
            await world.process();
            await look();
          }
          const last = await look();
          expect(ENDS).toContain(last.answer_status);
          expect(new Set(ends).size).toBe(1);
          expect(last.due_at).toBeNull();
          expect(accepted).toHaveLength(last.answer_status === 'sent' ? 1 : 0);
          expect(last.body_sent !== null).toBe(last.answer_status === 'sent');
        },
      ),
      { numRuns: 25 },
    );
  });
});
