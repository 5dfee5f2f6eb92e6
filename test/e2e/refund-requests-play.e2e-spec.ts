import type { Answer, Json } from '../support/api-client.js';
import { AUDIENCE, type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { playProducts } from '../support/fake-play/fake-play.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('chargebacks of Google Play', () => {
  let world: PlayWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  beforeEach(async () => {
    world.google.interfere = () => undefined;
    await world.configure({
      pubsub_audience: AUDIENCE,
      refund_request_handling: 'decline',
      refund_data_consent: null,
      refund_usage_evidence: null,
    });
    world.clock.advanceMs(DAY_MS);
  });
  afterAll(() => world.close());

  const bought = async (): Promise<{ user: string; token: string; orderId: string }> => {
    const user = `buyer-${++count}`;
    const { token, purchase } = world.play.buy(playProducts.coins);
    await world.post(user, token, playProducts.coins);
    return { user, token, orderId: String(purchase.orderId) };
  };
  const requestOf = async (orderId: string): Promise<Json> => {
    const { body } = await world.backend.get(`${world.path}/refund_requests?limit=100`);
    return (body.items as Json[]).find((one) => one.order_id === orderId) ?? {};
  };
  const reviewOf = (notification: Json) =>
    world.play.reviews.get(notification.pendingRefundReviewNotification.pendingRefundToken);

  const eventsOf = async (user: string): Promise<string[]> =>
    (await world.events(user)).filter((type) => type.startsWith('REFUND_REQUEST'));
  const storeBusy = { status: 503, body: {} };

  it('answers a review once, and never shows its token', async () => {
    const { orderId, user } = await bought();
    const notification: Json = world.play.askReview(orderId);
    await world.push(notification);
    await world.push(notification);
    expect(reviewOf(notification)?.answer).toMatchObject({
      refundPreference: 'DECLINE',
      sampleContentProvided: false,
    });
    const request = await requestOf(orderId);
    expect(request).toMatchObject({
      store: 'play_store',
      reason: 'CHARGEBACK',
      customer_id: user,
      answer_status: 'sent',
      attempts: 1,
      deadline_at: world.clock.nowMs() + DAY_MS,
    });
    expect(request.body_sent).not.toHaveProperty('pendingRefundToken');
  });

  it('records a voided order as the outcome, from Google’s list', async () => {
    const { orderId } = await bought();
    await world.push(world.play.askReview(orderId));
    world.clock.advanceMs(HOUR_MS);
    world.play.chargeBack(orderId);
    world.clock.advanceMs(HOUR_MS);
    await world.tasks();
    expect(await requestOf(orderId)).toMatchObject({ outcome: 'refunded' });
  });

  it('records a signed notification of a voided order as the outcome, once', async () => {
    const { token, orderId, user } = await bought();
    await world.push(world.play.askReview(orderId));
    world.clock.advanceMs(HOUR_MS);
    world.play.chargeBack(orderId);
    const voided = { purchaseToken: token, orderId, productType: 2, refundType: 1 };
    await world.push({ voidedPurchaseNotification: voided });
    expect(await requestOf(orderId)).toMatchObject({
      outcome: 'refunded',
      outcome_at: world.clock.nowMs(),
      refunded_amount: { gross: 0.99 },
    });
    world.clock.advanceMs(HOUR_MS);
    await world.tasks();
    expect(await eventsOf(user)).toEqual(['REFUND_REQUESTED', 'REFUND_REQUEST_DECIDED']);
  });

  it('calls Google once a second for an app', async () => {
    const [first, second] = [await bought(), await bought()];
    const [one, two] = [first, second].map(({ orderId }) => world.play.askReview(orderId));
    await world.push(one as object);
    await world.push(two as object);
    expect([reviewOf(one as Json)?.answer, reviewOf(two as Json)?.answer]).toEqual([expect.anything(), null]);
    expect(await requestOf(second.orderId)).toMatchObject({
      answer_status: 'waiting',
      attempts: 0,
      due_at: world.clock.nowMs() + 1_000,
    });
    world.clock.advanceMs(1_000);
    await world.process();
    expect(await requestOf(second.orderId)).toMatchObject({ answer_status: 'sent', attempts: 1 });
  });

  describe('whose purchase is not recorded yet', () => {
    it.each([
      [false, 'production'],
      [true, 'sandbox'],
    ])('answers once the purchase has an owner (test purchase: %s)', async (test, environment) => {
      const { token, purchase } = world.play.buy(playProducts.coins, { test });
      const orderId = String(purchase.orderId);
      const notification: Json = world.play.askReview(orderId);
      await world.push(notification);
      expect(await requestOf(orderId)).toMatchObject({ answer_status: 'waiting', customer_id: null });
      const user = `late-${++count}`;
      await world.post(user, token, playProducts.coins);
      world.clock.advanceMs(5 * MINUTE_MS);
      await world.process();
      expect(reviewOf(notification)?.answer).toMatchObject({ refundPreference: 'DECLINE' });
      expect(await requestOf(orderId)).toMatchObject({
        answer_status: 'sent',
        customer_id: user,
        environment,
        product_id: world.products.coins.id,
      });
      expect(await eventsOf(user)).toEqual(['REFUND_REQUESTED']);
    });

    it('finds the owner of a renewal by its order', async () => {
      const subscription = world.play.subscribe(playProducts.monthly);
      const orderId = String(subscription.latestOrderId);
      await world.push(world.play.askReview(orderId, { purchaseToken: 'of-another-purchase' }));
      const user = `late-${++count}`;
      await world.post(user, subscription.token);
      world.clock.advanceMs(5 * MINUTE_MS);
      await world.process();
      expect(await requestOf(orderId)).toMatchObject({ answer_status: 'sent', customer_id: user });
    });

    it('answers nothing if no customer owns it after ten minutes', async () => {
      const { purchase } = world.play.buy(playProducts.coins);
      const notification: Json = world.play.askReview(String(purchase.orderId));
      await world.push(notification);
      world.clock.advanceMs(10 * MINUTE_MS);
      await world.process();
      expect(await requestOf(String(purchase.orderId))).toMatchObject({
        answer_status: 'not_wanted',
        answer_reason: 'unknown_purchase',
        due_at: null,
      });
      expect(reviewOf(notification)?.answer).toBeNull();
    });
  });

  describe('from an unsigned notification', () => {
    beforeEach(() => world.configure({ pubsub_audience: null }));

    it('reaches webhooks once Google has accepted the answer', async () => {
      const { orderId, user } = await bought();
      world.google.interfere = ({ path }) => (path.endsWith(':reviewrefund') ? storeBusy : undefined);
      await world.push(world.play.askReview(orderId));
      expect(await requestOf(orderId)).toMatchObject({ answer_status: 'waiting', customer_id: user });
      expect(await eventsOf(user)).toEqual([]);
      world.google.interfere = () => undefined;
      world.clock.advanceMs(MINUTE_MS);
      await world.process();
      expect((await requestOf(orderId)).answer_status).toBe('sent');
      expect(await eventsOf(user)).toEqual(['REFUND_REQUESTED']);
      world.play.chargeBack(orderId);
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect(await eventsOf(user)).toEqual(['REFUND_REQUESTED', 'REFUND_REQUEST_DECIDED']);
    });

    it('reaches no webhook if Google rejects its token', async () => {
      const { orderId, user } = await bought();
      const forged = { version: '1.0', pendingRefundToken: `forged-${count}`, orderId, refundReason: 7 };
      await world.push({ pendingRefundReviewNotification: forged });
      expect((await requestOf(orderId)).answer_status).toBe('refused');
      world.play.chargeBack(orderId);
      world.clock.advanceMs(HOUR_MS);
      await world.tasks();
      expect((await requestOf(orderId)).outcome).toBe('refunded');
      expect(await eventsOf(user)).toEqual([]);
    });

    it('changes nothing for an order that is not known here', async () => {
      await world.push(world.play.askReview('GPA.0000-0000-0000-00000'));
      expect(await requestOf('GPA.0000-0000-0000-00000')).toEqual({});
    });
  });

  describe('evidence', () => {
    const hold = { display_name: 'Hold', preference: 'decline', hold_minutes: 60 };
    let policyId: string;
    beforeAll(async () => {
      policyId = (await world.backend.post(`${world.path}/refund_policies`, hold)).body.id;
    });
    beforeEach(() =>
      world.configure({ refund_request_handling: 'policies', refund_data_consent: 'all_customers' }),
    );
    afterAll(() => world.backend.delete(`${world.path}/refund_policies/${policyId}`));

    const held = async (): Promise<{ notification: Json; request: Json; user: string }> => {
      const { orderId, user } = await bought();
      const notification: Json = world.play.askReview(orderId, { obfuscatedAccountId: 'account-1' });
      await world.push(notification);
      return { notification, request: await requestOf(orderId), user };
    };
    const setEvidence = ({ id }: Json, events: unknown): Promise<Answer> =>
      world.backend.send('PUT', `${world.path}/refund_requests/${id}/evidence`, { events });
    const release = async (): Promise<void> => {
      world.clock.advanceMs(HOUR_MS);
      await world.process();
    };
    const event = {
      obfuscatedAccountId: 'account-1',
      obfuscatedProfileId: 'profile-1',
      consumptionTime: '2026-01-02T10:00:00.123456789+02:00',
      consumptionItemDescription: 'Played level 12',
      ipAddress: '2001:db8::1',
      location: { regionCode: 'DE', administrativeArea: 'BE', locality: 'Berlin', sublocality: 'Mitte' },
    };

    it('goes out with the answer, and disappears after 90 days', async () => {
      const { notification, request } = await held();
      expect((await setEvidence(request, [{ consumptionItemDescription: 'replaced' }])).status).toBe(200);
      expect((await setEvidence(request, [event])).status).toBe(200);
      await release();
      expect(reviewOf(notification)?.answer?.consumptionUsageEvents).toEqual([event]);
      const stored = async () => {
        const [row] = await world.server.dataSource.query<{ evidence: unknown; body_sent: unknown }[]>(
          'SELECT evidence, body_sent FROM refund_requests WHERE project_id = $1 AND id = $2',
          [world.projectId, request.id],
        );
        return [row?.evidence, row?.body_sent];
      };
      expect(await stored()).toEqual([[event], expect.anything()]);
      world.clock.advanceMs(90 * DAY_MS);
      await world.server.app.get(CleanupsJob).run();
      expect(await stored()).toEqual([null, null]);
    });

    it('precedes the days on which the customer was seen, without making up times', async () => {
      await world.configure({ refund_usage_evidence: 'days' });
      const { notification, request, user } = await held();
      await setEvidence(request, [event]);
      await world.sdk.get(`/v1/subscribers/${user}`);
      await world.server.app.get(LastSeenRecorder).flush();
      await release();
      const day = new Date(world.clock.nowMs() - HOUR_MS).toISOString().slice(0, 10);
      expect(reviewOf(notification)?.answer?.consumptionUsageEvents).toEqual([
        event,
        { obfuscatedAccountId: 'account-1', consumptionItemDescription: `App opened on ${day} (UTC)` },
      ]);
    });

    it('stays out of the answer without the consent of the customer', async () => {
      await world.configure({ refund_data_consent: null, refund_usage_evidence: 'days' });
      const { notification, request } = await held();
      await setEvidence(request, [event]);
      await release();
      expect(reviewOf(notification)?.answer).not.toHaveProperty('consumptionUsageEvents');
    });

    it.each([
      ['no list', null, 'events'],
      ['1,001 events', Array.from({ length: 1_001 }, () => ({})), 'events'],
      [
        'an account that is too long',
        [{ obfuscatedAccountId: 'x'.repeat(257) }],
        'events.0.obfuscatedAccountId',
      ],
      [
        'a profile that is too long',
        [{ obfuscatedProfileId: 'x'.repeat(257) }],
        'events.0.obfuscatedProfileId',
      ],
      ['a time without a zone', [{ consumptionTime: '2026-01-02T10:00:00' }], 'events.0.consumptionTime'],
      [
        'a time that does not exist',
        [{ consumptionTime: '2026-13-02T10:00:00Z' }],
        'events.0.consumptionTime',
      ],
      [
        'a description that is too long',
        [{ consumptionItemDescription: 'x'.repeat(5_001) }],
        'events.0.consumptionItemDescription',
      ],
      ['an address that is not one', [{ ipAddress: 'home' }], 'events.0.ipAddress'],
      ['a location without a region', [{ location: { locality: 'Berlin' } }], 'events.0.location.regionCode'],
      ['a region that is not one', [{ location: { regionCode: 'DEU' } }], 'events.0.location.regionCode'],
      [
        'a place that is too long',
        [{}, { location: { regionCode: 'DE', sublocality: 'x'.repeat(201) } }],
        'events.1.location.sublocality',
      ],
    ])('fails with %s', async (_, events, param) => {
      const answer = await setEvidence({ id: 'rfrq0000000000000000' }, events);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });

    it('fails with 409 after the answer', async () => {
      const { request } = await held();
      await release();
      const answer = await setEvidence(request, [event]);
      expect([answer.status, answer.body.type]).toEqual([409, 'invalid_request']);
    });
  });
});
