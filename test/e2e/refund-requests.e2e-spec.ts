import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { LogService } from '../../src/platform/observability/log.service.js';
import { UnknownValuesService } from '../../src/purchases/unknown-values/unknown-values.service.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { createSecretKey } from '../support/arrange.js';
import type { Answer, Json } from '../support/api-client.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { type ApiCall, serverError, unauthorized } from '../support/fake-app-store/fake-server-api.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const { monthly, coins } = fakeProducts;

describe('refund requests of the App Store', () => {
  let world: AppStoreWorld;
  let other: Pick<AppStoreWorld, 'projectId' | 'backend'>;
  let count = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
    const made = await world.session.post('/v2/projects', { name: 'Other' });
    const { client } = await createSecretKey(world.session, made.body.id);
    other = { projectId: made.body.id, backend: client };
  });
  beforeEach(async () => {
    world.api.interfere = () => undefined;
    await world.configure({
      ...world.keyFields,
      track_new_purchases: false,
      refund_request_handling: 'decline',
      refund_data_consent: 'all_customers',
      sample_content_provided: null,
      refund_attributes_from_sdk: null,
    });
    world.clock.advanceMs(DAY_MS);
    await world.process();
    world.api.calls.length = 0;
  });
  afterAll(() => world.close());

  const newAppUserId = (): string => `asking-${++count}`;
  const bought = async (user: string = newAppUserId()): Promise<FakeSubscription> => {
    const subscription = world.store.subscribe(world.store.account(), monthly);
    await world.post(user, subscription.signed());
    world.clock.advanceMs(1);
    return subscription;
  };
  const puts = (): ApiCall[] => world.api.calls.filter(({ path }) => path.includes('/consumption/'));
  const preferences = (): unknown[] => puts().map(({ body }) => body?.refundPreference);
  const list = async (query = ''): Promise<Json[]> => {
    const answer = await world.backend.get(`${world.path}/refund_requests?limit=100${query}`);
    expect(answer.status).toBe(200);
    return answer.body.items;
  };
  const requestOf = async ({ latest }: FakeSubscription): Promise<Json> => {
    const found = (await list()).find((one) => one.transaction_id === latest.transactionId);
    if (!found) throw new Error('There is no refund request.');
    return found;
  };
  const act = (request: Json, action: string, body: object = {}): Promise<Answer> =>
    world.backend.post(`${world.path}/refund_requests/${request.id}/actions/${action}`, body);
  const setAttributes = (user: string, values: Record<string, string>): Promise<Answer> => {
    const attributes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
    return world.backend.post(`/v1/subscribers/${user}/attributes`, { attributes });
  };
  const health = async (): Promise<Json> => {
    const answer = await world.backend.get(`${world.path}/setup_health`);
    return (answer.body.apps as Json[]).find(({ id }) => id === world.appId) ?? {};
  };
  const counted = async (result: string): Promise<number> => {
    const text = await world.server.app.get(Registry).metrics();
    const line = new RegExp(
      `^tenure_refund_answers_total\\{store="app_store",result="${result}"\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(text)?.[1]);
  };
  const eventsOf = async (user: string): Promise<Json[]> => {
    const { body } = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
    return (body.items as Json[])
      .map((one) => one.body)
      .filter(({ type }) => type.startsWith('REFUND_REQUEST'))
      .sort((a, b) => a.sequence - b.sequence);
  };

  describe('decisions', () => {
    it('records one request for a notification that arrives twice', async () => {
      const subscription = await bought();
      const notification = subscription.askConsumption(undefined, 'UNINTENDED_PURCHASE');
      await world.notify(notification);
      await world.notify(notification);
      expect(puts()).toHaveLength(1);
      const { latest } = subscription;
      const found = (await list()).filter((one) => one.transaction_id === latest.transactionId);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({ reason: 'UNINTENDED_PURCHASE', answer_status: 'sent', attempts: 1 });
    });

    it('records a request but sends nothing while answers are off', async () => {
      await world.configure({ refund_request_handling: null });
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      expect(puts()).toEqual([]);
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'off',
        preference: 'do_not_answer',
        due_at: null,
        amount: { currency: 'USD', gross: 9.99 },
      });
    });

    it.each(['FAMILY_SHARED', 'ASSIGNED'])('sends nothing about a purchase that is %s', async (ownership) => {
      const subscription = world.store.subscribe(world.store.account(), monthly);
      Object.assign(subscription.latest, { inAppOwnershipType: ownership });
      await world.post(newAppUserId(), subscription.signed());
      await world.notify(subscription.askConsumption());
      expect(puts()).toEqual([]);
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'not_the_buyer',
      });
    });

    it('sends nothing about a purchase that no customer owns after ten minutes', async () => {
      const subscription = world.store.subscribe(world.store.account(), monthly);
      await world.notify(subscription.askConsumption());
      const looks: Json[] = [await requestOf(subscription)];
      for (let look = 0; look < 2; look++) {
        world.clock.advanceMs(5 * MINUTE_MS);
        await world.process();
        looks.push(await requestOf(subscription));
      }
      expect(looks.map((one) => [one.answer_status, one.answer_reason, one.customer_id])).toEqual([
        ['waiting', null, null],
        ['waiting', null, null],
        ['not_wanted', 'unknown_purchase', null],
      ]);
      expect(puts()).toEqual([]);
    });

    it('answers once the purchase has an owner', async () => {
      const subscription = world.store.subscribe(world.store.account(), monthly);
      const user = newAppUserId();
      await world.notify(subscription.askConsumption());
      await world.post(user, subscription.signed());
      await world.process();
      expect(puts().map(({ body }) => body?.deliveryStatus)).toEqual(['DELIVERED']);
      expect((await requestOf(subscription)).customer_id).toBe(user);
      expect((await eventsOf(user)).map(({ type }) => type)).toEqual(['REFUND_REQUESTED']);
    });

    it('sends Apple nothing without the consent of the customers', async () => {
      await world.configure({ refund_data_consent: null });
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      expect(puts()).toEqual([]);
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'no_consent',
      });
      expect((await health()).refund_hints).toEqual([
        'Nothing is sent to Apple until refund_data_consent confirms that your customers agree.',
      ]);
    });

    it.each([
      ['true', 1],
      ['YES', 1],
      ['1', 1],
      ['no', 0],
      ['', 0],
    ])('asks each customer for consent by an attribute: %j', async (value, answers) => {
      await world.configure({ refund_data_consent: 'attribute' });
      const user = newAppUserId();
      const subscription = await bought(user);
      await setAttributes(user, { $refundDataConsent: value });
      await world.notify(subscription.askConsumption());
      expect(puts()).toHaveLength(answers);
    });

    it.each([
      ['DO_NOT_HANDLE', []],
      ['GRANT_FULL', ['GRANT_FULL']],
      ['GRANT_REFUND', ['GRANT_FULL']],
      ['grant_prorated', ['GRANT_PRORATED']],
      ['DECLINE', ['DECLINE']],
      ['Decline_Refund', ['DECLINE']],
      ['LET_APPLE_DECIDE', [undefined]],
      ['let_google_decide', [undefined]],
    ])('follows the preference of a customer: %s', async (value, expected) => {
      await world.configure({ refund_request_handling: 'policies' });
      const user = newAppUserId();
      const subscription = await bought(user);
      await setAttributes(user, { $appleRefundHandlingPreference: value });
      await world.notify(subscription.askConsumption());
      expect(preferences()).toEqual(expected);
      expect(await requestOf(subscription)).toMatchObject({
        decided_by: 'customer_attribute',
        answer_reason: expected.length === 0 ? 'customer_attribute' : null,
      });
    });

    it('ignores and counts a preference that it does not know', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      await setAttributes(user, { $appleRefundHandlingPreference: 'something else' });
      await world.notify(subscription.askConsumption());
      expect(preferences()).toEqual(['DECLINE']);
      await world.server.app.get(UnknownValuesService).flush();
      const { body } = await world.backend.get(`${world.path}/setup_health`);
      expect(body.unknown_store_values).toContainEqual(
        expect.objectContaining({
          field: '$appleRefundHandlingPreference',
          value: 'something else',
          count: 1,
        }),
      );
    });

    it.each([
      [null, 'DECLINE', []],
      [true, 'GRANT_FULL', [expect.stringContaining('refund_attributes_from_sdk')]],
    ])('believes attributes of the public key only if the app says so: %s', async (setting, sent, hints) => {
      await world.configure({ refund_attributes_from_sdk: setting });
      const user = newAppUserId();
      const subscription = await bought(user);
      const attributes = { $appleRefundHandlingPreference: { value: 'GRANT_REFUND', updated_at_ms: 1 } };
      await world.sdk.post(`/v1/subscribers/${user}/attributes`, { attributes });
      await world.notify(subscription.askConsumption());
      expect(preferences()).toEqual([sent]);
      expect((await health()).refund_hints).toEqual(hints);
    });

    it('accepts the attributes in the customer API, too', async () => {
      const user = newAppUserId();
      await bought(user);
      const names = [
        '$refundDataConsent',
        '$appleRefundHandlingPreference',
        '$googleRefundHandlingPreference',
      ];
      const attributes = names.map((name) => ({ name, value: 'true' }));
      const answer = await world.backend.post(`${world.path}/customers/${user}/attributes`, { attributes });
      expect(answer.status).toBe(200);
    });

    it.each([
      ['grant_full', { refundPreference: 'GRANT_FULL' }],
      ['decline', { refundPreference: 'DECLINE' }],
      ['let_apple_decide', {}],
    ])('answers every request as the app says: %s', async (handling, preference) => {
      await world.configure({ refund_request_handling: handling });
      const subscription = await bought();
      world.clock.advanceMs(15 * DAY_MS);
      await world.notify(subscription.askConsumption());
      const body = {
        customerConsented: true,
        deliveryStatus: 'DELIVERED',
        sampleContentProvided: false,
        ...preference,
      };
      const path = `/inApps/v2/transactions/consumption/${subscription.originalTransactionId}`;
      expect(puts().map((call) => [call.method, call.path, call.body])).toEqual([['PUT', path, body]]);
      expect(await requestOf(subscription)).toMatchObject({
        decided_by: 'setting',
        answered_at: world.clock.nowMs(),
        answered_by: null,
        body_sent: body,
      });
    });

    it('follows the first policy that matches, with the values of that time', async () => {
      await world.configure({ refund_request_handling: 'policies' });
      const policies = `${world.path}/refund_policies`;
      const made = await world.backend.post(policies, {
        display_name: 'First month',
        preference: 'grant_full',
        conditions: [
          { field: 'days_since_purchase', operator: '<=', value: 3 },
          { field: 'paid_periods', operator: '=', value: 1 },
        ],
      });
      const early = await bought();
      const late = await bought();
      world.clock.advanceMs(3 * DAY_MS);
      await world.notify(early.askConsumption(undefined, 'OTHER'));
      world.clock.advanceMs(DAY_MS);
      await world.notify(late.askConsumption());
      expect(preferences()).toEqual(['GRANT_FULL', undefined]);
      const request = await requestOf(early);
      expect(request).toMatchObject({
        decided_by: 'policy',
        policy_id: made.body.id,
        policy_name: 'First month',
        product_id: world.products.monthly.id,
        facts: {
          refund_reason: 'OTHER',
          product: world.products.monthly.id,
          purchase_kind: 'auto_renewable',
          days_since_purchase: 3,
          paid_periods: 1,
          refunds_before: 0,
          requests_before: 0,
          lifetime_usd: 9.99,
          price_usd: 9.99,
        },
      });
      await world.backend.delete(`${policies}/${made.body.id}`);
      expect(await requestOf(early)).toMatchObject({ policy_name: 'First month', preference: 'grant_full' });
    });

    it('sends nothing if the policy says so', async () => {
      await world.configure({ refund_request_handling: 'policies' });
      const policies = `${world.path}/refund_policies`;
      const made = await world.backend.post(policies, { display_name: 'No', preference: 'do_not_answer' });
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      await world.backend.delete(`${policies}/${made.body.id}`);
      expect(puts()).toEqual([]);
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'policy',
        policy_name: 'No',
      });
    });

    it('expires at the deadline if nothing was sent', async () => {
      const before = await counted('expired');
      const subscription = await bought();
      world.api.interfere = () => serverError;
      await world.notify(subscription.askConsumption());
      world.clock.advanceMs(12 * HOUR_MS);
      world.api.interfere = () => undefined;
      world.api.calls.length = 0;
      await world.process();
      expect(puts()).toEqual([]);
      expect(await requestOf(subscription)).toMatchObject({ answer_status: 'expired', due_at: null });
      expect(await counted('expired')).toBe(before + 1);
    });

    it("keeps deadlines by the database's time when the clock of the machine jumps", async () => {
      const subscription = await bought();
      world.api.interfere = () => serverError;
      await world.notify(subscription.askConsumption());
      world.api.interfere = () => undefined;
      const before = Date.now();
      const jumped = jest.spyOn(Date, 'now').mockImplementation(() => before + 13 * HOUR_MS);
      world.clock.advanceMs(13 * HOUR_MS);
      await world.process();
      expect(await requestOf(subscription)).toMatchObject({ answer_status: 'waiting', attempts: 1 });
      world.clock.advanceMs(MINUTE_MS);
      await world.process();
      jumped.mockRestore();
      expect(await requestOf(subscription)).toMatchObject({ answer_status: 'sent', attempts: 2 });
    });

    it('expires at once if the notification arrives after the deadline', async () => {
      const subscription = await bought();
      const notification = subscription.askConsumption();
      world.clock.advanceMs(12 * HOUR_MS);
      await world.notify(notification);
      expect(puts()).toEqual([]);
      expect((await requestOf(subscription)).answer_status).toBe('expired');
    });

    it('waits for an in-app purchase key, and expires without one', async () => {
      const keys = {
        subscription_private_key: null,
        subscription_key_id: null,
        subscription_key_issuer: null,
      };
      await world.configure(keys);
      const [first, second] = [await bought(), await bought()];
      await world.notify(first.askConsumption());
      expect(await requestOf(first)).toMatchObject({ answer_status: 'waiting', attempts: 0 });
      expect((await health()).refund_hints).toEqual(['Answers wait for the in-app purchase key of the app.']);
      world.clock.advanceMs(15 * MINUTE_MS);
      await world.configure(world.keyFields);
      await world.process();
      expect(puts()).toHaveLength(1);
      await world.configure(keys);
      await world.notify(second.askConsumption());
      world.clock.advanceMs(12 * HOUR_MS);
      await world.process();
      expect((await requestOf(second)).answer_status).toBe('expired');
    });
  });

  describe('answers', () => {
    it('states a trial that the customer had before, or what the app says', async () => {
      const subscription = world.store.subscribe(world.store.account(), monthly, { trial: true });
      await world.post(newAppUserId(), subscription.signed());
      await world.notify(subscription.askConsumption());
      world.clock.advanceMs(7 * DAY_MS);
      await world.notify(subscription.renew());
      await world.notify(subscription.askConsumption());
      await world.configure({ sample_content_provided: true });
      await world.notify((await bought()).askConsumption());
      expect(puts().map(({ body }) => body?.sampleContentProvided)).toEqual([false, true, true]);
    });

    it('answers for an Advanced Commerce purchase in the format of version 1', async () => {
      const subscription = world.store.subscribe(world.store.account(), monthly);
      Object.assign(subscription.latest, { advancedCommerceInfo: { items: [] }, appAccountToken: undefined });
      await world.post(newAppUserId(), subscription.signed());
      world.clock.advanceMs(15 * DAY_MS);
      await world.notify(subscription.askConsumption());
      expect(puts().map(({ path, body }) => [path, body])).toEqual([
        [
          `/inApps/v1/transactions/consumption/${subscription.originalTransactionId}`,
          {
            customerConsented: true,
            sampleContentProvided: false,
            accountTenure: 3,
            appAccountToken: '',
            consumptionStatus: 0,
            deliveryStatus: 0,
            lifetimeDollarsPurchased: 2,
            lifetimeDollarsRefunded: 1,
            platform: 1,
            playTime: 0,
            refundPreference: 2,
            userStatus: 1,
          },
        ],
      ]);
    });

    it('states which part of the virtual currency of a consumable was spent', async () => {
      const currency = { code: 'GLD', name: 'Gold', product_grants: [] as Json[] };
      currency.product_grants.push({ product_ids: [world.products.coins.id], amount: 1_000 });
      const made = await world.backend.post(`${world.path}/virtual_currencies`, currency);
      expect(made.status).toBe(201);
      const user = newAppUserId();
      const one = world.store.buy(world.store.account(), coins);
      await world.post(user, world.store.signed(one.transaction));
      const spent = await world.backend.post(
        `${world.path}/customers/${user}/virtual_currencies/transactions`,
        { adjustments: { GLD: -680 } },
      );
      expect(spent.status).toBe(200);
      await world.notify(world.store.oneTimeNotification(one, 'CONSUMPTION_REQUEST'));
      expect(puts().map(({ body }) => [body?.consumptionPercentage, body?.refundPreference])).toEqual([
        [68_000, 'DECLINE'],
      ]);
      await world.backend.delete(`${world.path}/virtual_currencies/GLD`);
    });

    it('leaves out the used part of a purchase for which it is unknown', async () => {
      const user = newAppUserId();
      const one = world.store.buy(world.store.account(), fakeProducts.lifetime);
      await world.post(user, world.store.signed(one.transaction));
      await setAttributes(user, { $appleRefundHandlingPreference: 'GRANT_PRORATED' });
      await world.notify(world.store.oneTimeNotification(one, 'CONSUMPTION_REQUEST'));
      expect(puts().map(({ body }) => body && Object.keys(body).sort())).toEqual([
        ['customerConsented', 'deliveryStatus', 'sampleContentProvided'],
      ]);
    });

    it('stops after a refusal; logs, metrics and setup health show the reason', async () => {
      const subscription = await bought();
      const before = await counted('refused');
      const warned = jest.spyOn(world.server.app.get(LogService), 'warn');
      world.api.interfere = ({ path }) =>
        path.includes('/consumption/')
          ? { status: 400, body: { errorCode: 4000036, errorMessage: 'Invalid deliveryStatus.' } }
          : undefined;
      await world.notify(subscription.askConsumption());
      world.clock.advanceMs(HOUR_MS);
      await world.process();
      expect(puts()).toHaveLength(1);
      expect(await counted('refused')).toBe(before + 1);
      expect(warned.mock.calls.map(([, text]) => text)).toEqual([
        'Apple refused the answer to a refund request',
      ]);
      warned.mockRestore();
      const message = 'The App Store answered: Invalid deliveryStatus. (4000036)';
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'refused',
        due_at: null,
        last_error: message,
      });
      expect((await health()).refused_refund_answer).toEqual({ at: world.clock.nowMs() - HOUR_MS, message });
      world.clock.advanceMs(31 * DAY_MS);
      expect((await health()).refused_refund_answer).toBeNull();
    });

    it('tries again with growing pauses while Apple does not respond', async () => {
      const subscription = await bought();
      world.api.interfere = () => serverError;
      await world.notify(subscription.askConsumption());
      const attempts: number[] = [];
      for (const minutes of [1, 5, 15, 60, 60]) {
        world.clock.advanceMs(minutes * MINUTE_MS);
        await world.process();
        attempts.push((await requestOf(subscription)).attempts);
      }
      expect(attempts).toEqual([2, 3, 4, 5, 6]);
      expect(puts()).toHaveLength(6);
      world.api.interfere = () => undefined;
      world.clock.advanceMs(6 * HOUR_MS);
      await world.process();
      expect(await requestOf(subscription)).toMatchObject({ answer_status: 'sent', attempts: 7 });
    });

    it('waits while Apple refuses the key, and answers when it accepts it again', async () => {
      const subscription = await bought();
      world.api.interfere = () => unauthorized;
      await world.notify(subscription.askConsumption());
      expect(await requestOf(subscription)).toMatchObject({ answer_status: 'waiting', attempts: 0 });
      world.api.interfere = () => undefined;
      world.clock.advanceMs(10 * MINUTE_MS);
      await world.server.app.get(StoreTasksService).drain();
      await world.process();
      expect((await requestOf(subscription)).answer_status).toBe('sent');
    });

    it('sends nothing to a customer who withdrew consent while the answer waited', async () => {
      await world.configure({ refund_data_consent: 'attribute' });
      const user = newAppUserId();
      const subscription = await bought(user);
      await setAttributes(user, { $refundDataConsent: 'yes' });
      world.api.interfere = () => serverError;
      await world.notify(subscription.askConsumption());
      world.api.interfere = () => undefined;
      await setAttributes(user, { $refundDataConsent: 'no' });
      world.clock.advanceMs(MINUTE_MS);
      world.api.calls.length = 0;
      await world.process();
      expect(puts()).toEqual([]);
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'no_consent',
      });
    });
  });

  describe('requests that wait for a person', () => {
    let policyId: string;
    beforeEach(async () => {
      await world.configure({ refund_request_handling: 'policies' });
      const body = { display_name: 'Hold', preference: 'decline', hold_minutes: 60 };
      policyId = (await world.backend.post(`${world.path}/refund_policies`, body)).body.id;
    });
    afterEach(() => world.backend.delete(`${world.path}/refund_policies/${policyId}`));

    const held = async (): Promise<FakeSubscription> => {
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      return subscription;
    };

    it('answers as decided when the time for a person is over', async () => {
      const subscription = await held();
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'held',
        due_at: world.clock.nowMs() + HOUR_MS,
      });
      expect(puts()).toEqual([]);
      world.clock.advanceMs(HOUR_MS);
      await world.process();
      expect(preferences()).toEqual(['DECLINE']);
      expect((await requestOf(subscription)).answer_status).toBe('sent');
    });

    it('answers half an hour before the deadline at the latest', async () => {
      const update = { hold_minutes: 1_440 };
      await world.backend.post(`${world.path}/refund_policies/${policyId}`, update);
      const request = await requestOf(await held());
      expect(request.due_at).toBe(request.deadline_at - 30 * MINUTE_MS);
    });

    it('sends the answer of a person at once', async () => {
      const subscription = await held();
      const body = { preference: 'grant_full', delivery_status: 'undelivered_other', note: '<b>Outage</b>' };
      const answer = await act(await requestOf(subscription), 'answer', body);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ answer_status: 'waiting', decided_by: 'person' });
      await world.process();
      expect(puts().map((call) => [call.body?.deliveryStatus, call.body?.refundPreference])).toEqual([
        ['UNDELIVERED_OTHER', 'GRANT_FULL'],
      ]);
      expect(await requestOf(subscription)).toMatchObject({
        answer_status: 'sent',
        answered_by: expect.stringMatching(/^key_/),
        note: '<b>Outage</b>',
      });
      const { items } = (await world.backend.get(`${world.path}/audit_logs?limit=1`)).body;
      expect(items[0].action_type).toBe('refund_request_answered');
    });

    it('leaves a request unanswered if a person says so', async () => {
      const subscription = await held();
      const answer = await act(await requestOf(subscription), 'do_not_answer', { note: 'Fraud' });
      expect(answer.body).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'person',
        note: 'Fraud',
        due_at: null,
      });
      world.clock.advanceMs(HOUR_MS);
      await world.process();
      expect(puts()).toEqual([]);
    });

    it('rejects a second answer with 409', async () => {
      const subscription = await held();
      const request = await requestOf(subscription);
      await act(request, 'answer', { preference: 'neutral' });
      await world.process();
      for (const action of ['answer', 'do_not_answer']) {
        const again = await act(request, action, action === 'answer' ? { preference: 'decline' } : {});
        expect([again.status, again.body.type]).toEqual([409, 'invalid_request']);
      }
      expect(puts()).toHaveLength(1);
    });

    it.each([
      [{ preference: 'always' }, 'preference'],
      [{ preference: 'do_not_answer' }, 'preference'],
      [{ preference: 'decline', consumption_percentage: 50_000 }, 'consumption_percentage'],
      [{ preference: 'decline', delivery_status: 'lost' }, 'delivery_status'],
      [{ preference: 'decline', note: 'x'.repeat(1_001) }, 'note'],
    ])('rejects the answer %j', async (body, param) => {
      const answer = await act(await requestOf(await held()), 'answer', body);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });

    it('rejects a used part of a purchase that was not delivered', async () => {
      const one = world.store.buy(world.store.account(), coins);
      await world.post(newAppUserId(), world.store.signed(one.transaction));
      await world.notify(world.store.oneTimeNotification(one, 'CONSUMPTION_REQUEST'));
      const [request] = await list();
      const body = { preference: 'grant_full', delivery_status: 'undelivered_other' };
      const bad = await act(request ?? {}, 'answer', { ...body, consumption_percentage: 1 });
      expect([bad.status, bad.body.param]).toEqual([400, 'consumption_percentage']);
      expect((await act(request ?? {}, 'answer', { ...body, consumption_percentage: 0 })).status).toBe(200);
      await world.process();
      expect(puts().map((call) => call.body)).toMatchObject([
        { deliveryStatus: 'UNDELIVERED_OTHER', consumptionPercentage: 0, refundPreference: 'GRANT_FULL' },
      ]);
    });

    it('rejects evidence for the App Store with 422', async () => {
      const { id } = await requestOf(await held());
      const path = `${world.path}/refund_requests/${id}/evidence`;
      expect((await world.backend.send('PUT', path, { events: [] })).status).toBe(422);
    });
  });

  describe('outcomes', () => {
    it('reports a request and its refund to the customer’s history, and takes no access', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      await world.notify(subscription.askConsumption(undefined, 'FULFILLMENT_ISSUE'));
      expect((await world.subscription(user)).gives_access).toBe(true);
      const requestedAt = world.clock.nowMs();
      world.clock.advanceMs(HOUR_MS);
      await world.notify(subscription.refund());
      const request = await requestOf(subscription);
      expect(request).toMatchObject({
        outcome: 'refunded',
        outcome_at: world.clock.nowMs(),
        amount: { currency: 'USD', gross: 9.99 },
        refunded_amount: { currency: 'USD', gross: 9.99 },
      });
      const [requested, decided] = await eventsOf(user);
      const common = {
        app_id: world.appId,
        app_user_id: user,
        original_app_user_id: user,
        aliases: [user],
        store: 'APP_STORE',
        environment: 'PRODUCTION',
        product_id: monthly.id,
        entitlement_ids: ['pro'],
        transaction_id: subscription.latest.transactionId,
        original_transaction_id: subscription.originalTransactionId,
        refund_request_id: request.id,
        refund_reason: 'FULFILLMENT_ISSUE',
        requested_at_ms: requestedAt,
        deadline_at_ms: requestedAt + 12 * HOUR_MS,
        amount: 9.99,
        amount_in_usd: 9.99,
        currency: 'USD',
      };
      expect(requested).toMatchObject({ type: 'REFUND_REQUESTED', ...common });
      expect(decided).toMatchObject({
        type: 'REFUND_REQUEST_DECIDED',
        ...common,
        outcome: 'refunded',
        preference_sent: 'DECLINE'.toLowerCase(),
        refunded_amount: 9.99,
        refunded_amount_in_usd: 9.99,
      });
      expect(requested).not.toHaveProperty('price');
      expect(decided).not.toHaveProperty('price');
    });

    it('records a refund of a part with its amount', async () => {
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      const prorated = { revocationType: 'REFUND_PRORATED', revocationPercentage: 40_000 };
      await world.notify(subscription.refund(undefined, prorated));
      expect(await requestOf(subscription)).toMatchObject({
        outcome: 'partially_refunded',
        refunded_amount: { gross: 4 },
      });
    });

    it('records that Apple declined, once', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      await world.notify(subscription.askConsumption());
      const declined = subscription.declineRefund();
      await world.notify(declined);
      await world.notify(declined);
      expect(await requestOf(subscription)).toMatchObject({ outcome: 'declined', refunded_amount: null });
      expect((await eventsOf(user)).map(({ type }) => type)).toEqual([
        'REFUND_REQUESTED',
        'REFUND_REQUEST_DECIDED',
      ]);
    });

    it('gives the outcome to the newest request without one, and a reversal to the refunded one', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      await world.notify(subscription.askConsumption());
      await world.notify(subscription.declineRefund());
      world.clock.advanceMs(HOUR_MS);
      await world.notify(subscription.askConsumption());
      await world.notify(subscription.refund());
      const outcomes = async (): Promise<string[]> =>
        (await list(`&customer_id=${user}`)).map(({ outcome }) => outcome);
      expect(await outcomes()).toEqual(['refunded', 'declined']);
      world.clock.advanceMs(HOUR_MS);
      await world.notify(subscription.reverseRefund());
      expect(await outcomes()).toEqual(['reversed', 'declined']);
    });

    it('makes no request of a refund that Apple did not ask about', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      await world.notify(subscription.refund());
      expect(await list(`&customer_id=${user}`)).toEqual([]);
      expect(await eventsOf(user)).toEqual([]);
    });
  });

  describe('retention', () => {
    const retention = (): Promise<void> => world.server.app.get(CleanupsJob).run();

    it('ends a request without a decision after 30 days, and drops its details after 90', async () => {
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      const outcomes: unknown[] = [];
      for (const days of [29, 1, 60]) {
        world.clock.advanceMs(days * DAY_MS);
        await retention();
        const { outcome, facts, body_sent: body } = await requestOf(subscription);
        outcomes.push([outcome, facts !== null, body !== null]);
      }
      expect(outcomes).toEqual([
        [null, true, true],
        ['no_resolution', true, true],
        ['no_resolution', false, false],
      ]);
    });

    it('keeps the amount of a deleted customer’s request, and nothing about the customer', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      await world.notify(subscription.askConsumption());
      const { id } = await requestOf(subscription);
      expect((await world.backend.delete(`${world.path}/customers/${user}`)).status).toBe(200);
      const { body } = await world.backend.get(`${world.path}/refund_requests/${id}`);
      expect(body).toMatchObject({
        customer_id: null,
        facts: null,
        body_sent: null,
        note: null,
        amount: { gross: 9.99 },
      });
    });
  });

  describe('routes', () => {
    it('filters the list by every field, and pages through it', async () => {
      const user = newAppUserId();
      const subscription = await bought(user);
      for (let n = 0; n < 3; n++) {
        world.clock.advanceMs(1);
        await world.notify(subscription.askConsumption(undefined, 'LEGAL'));
      }
      const of = `&customer_id=${user}`;
      const all = await list(of);
      expect(all).toHaveLength(3);
      const matching = `store=app_store&app_id=${world.appId}&environment=production&answer_status=sent&reason=LEGAL`;
      expect(await list(`${of}&${matching}`)).toEqual(all);
      for (const no of ['store=play_store', 'environment=sandbox', 'outcome=refunded', 'policy_id=rfpl1'])
        expect(await list(`${of}&${no}`)).toEqual([]);
      const first = await world.backend.get(`${world.path}/refund_requests?limit=2${of}`);
      const second = await world.backend.get(first.body.next_page);
      expect([...first.body.items, ...second.body.items]).toEqual(all);
      const bad = await world.backend.get(`${world.path}/refund_requests?answer_status=done`);
      expect([bad.status, bad.body.param]).toEqual([400, 'answer_status']);
    });

    it('answers 404 for requests of another project', async () => {
      const subscription = await bought();
      await world.notify(subscription.askConsumption());
      const request = await requestOf(subscription);
      const path = `/v2/projects/${other.projectId}/refund_requests`;
      expect((await other.backend.get(path)).body.items).toEqual([]);
      const answers = [
        await other.backend.get(`${path}/${request.id}`),
        await other.backend.post(`${path}/${request.id}/actions/answer`, { preference: 'decline' }),
        await other.backend.post(`${path}/${request.id}/actions/do_not_answer`, {}),
        await other.backend.send('PUT', `${path}/${request.id}/evidence`, { events: [] }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    });

    it('sets answers in store settings, which accept nothing else', async () => {
      for (const [field, value] of [
        ['refund_request_handling', 'always'],
        ['refund_data_consent', 'maybe'],
        ['sample_content_provided', 'yes'],
        ['refund_attributes_from_sdk', 1],
      ] as const) {
        const bad = await world.backend.post(`${world.path}/apps/${world.appId}`, {
          app_store: { [field]: value },
        });
        expect([bad.status, bad.body.param]).toEqual([400, `app_store.${field}`]);
      }
      const settings = {
        refund_request_handling: 'policies',
        refund_data_consent: 'attribute',
        sample_content_provided: true,
        refund_attributes_from_sdk: true,
      };
      await world.configure(settings);
      const { body } = await world.backend.get(`${world.path}/apps/${world.appId}/store_settings`);
      expect(body).toMatchObject({ ...settings, refund_usage_evidence: 'none' });
    });
  });
});
