import { FakeAppStore, fakeProducts } from '../../../test/support/fake-app-store/fake-app-store.js';
import type {
  FakeNotification,
  FakeSubscription,
} from '../../../test/support/fake-app-store/fake-subscription.js';
import {
  type ApiAnswer,
  FakeServerApi,
  serverError,
  unauthorized,
} from '../../../test/support/fake-app-store/fake-server-api.js';
import { ManualClock } from '../../kernel/index.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import type { AnswerResult } from '../refunds/answer-result.js';
import { AppleVerifier } from './apple-verifier.js';
import { type AppleNotification, readNotification } from './notification.js';
import { type AppleRefund, type AppleRefundAnswer, appleRefundAnswer } from './refund-answer.js';
import { AppleServerApi } from './server-api.js';
import { AppleCallFailed, failedAnswer } from './server-api.errors.js';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 2);
const clock = new ManualClock(NOW_MS);
const store = new FakeAppStore(clock, 'com.example.app', 6443000000);
const api = new FakeServerApi(store);
const trust = { extraRoots: [store.chain.root.der], onlineChecks: false, nowMs: () => clock.nowMs() };
const verifier = new AppleVerifier(trust);
const app = { bundleId: store.bundleId, appAppleId: store.appAppleId };

beforeAll(() => api.start());
afterAll(() => api.close());
beforeEach(() => {
  api.interfere = () => undefined;
});

const newSubscription = (more: object = {}): FakeSubscription =>
  store.subscribe(store.account('Production', more), fakeProducts.monthly);

function read({ body }: FakeNotification): Promise<AppleNotification> {
  return readNotification(verifier, app, Buffer.from(body));
}

const outcomeIn = async (notification: FakeNotification) => (await read(notification)).refundOutcome;

async function send(transactionId: string, answer: AppleRefundAnswer): Promise<AnswerResult> {
  const options = { urls: api.urls, nowMs: () => clock.nowMs(), breaker: new CircuitBreaker(() => NOW_MS) };
  const deadline = AbortSignal.timeout(5_000);
  const client = new AppleServerApi(app, api.key, 'Production', verifier, options, deadline);
  try {
    await client.sendConsumption(transactionId, answer);
    return { result: 'sent' };
  } catch (error) {
    if (error instanceof AppleCallFailed) return failedAnswer(error);
    throw error;
  }
}

describe('a refund request of the App Store', () => {
  it('contains its reason, its deadline and the transaction', async () => {
    const subscription = newSubscription({ appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138' });
    const { refundRequest, refundOutcome } = await read(
      subscription.askConsumption(subscription.latest, 'UNINTENDED_PURCHASE'),
    );
    expect(refundOutcome).toBeNull();
    expect(refundRequest).toEqual({
      reason: 'UNINTENDED_PURCHASE',
      requestedAtMs: NOW_MS,
      deadlineAtMs: NOW_MS + 12 * HOUR_MS,
      transactionId: subscription.latest.transactionId,
      purchaseKey: subscription.originalTransactionId,
      storeProductId: fakeProducts.monthly.id,
      purchaseKind: 'auto_renewable',
      isOfBuyer: true,
      isAdvancedCommerce: false,
      appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
      purchasedAtMs: NOW_MS,
      endsAtMs: subscription.latest.expiresDate,
      price: { amountMicros: fakeProducts.monthly.priceMilli * 1_000, currency: 'USD' },
    });
  });

  it.each([
    ['Consumable', 'consumable'],
    ['Non-Consumable', 'non_consumable'],
    ['Non-Renewing Subscription', 'non_renewing'],
    ['Something New', null],
  ])('names the kind of purchase: %s is %p', async (type, purchaseKind) => {
    const one = store.buy(store.account(), fakeProducts.coins, type);
    const { refundRequest } = await read(store.oneTimeNotification(one, 'CONSUMPTION_REQUEST'));
    expect(refundRequest).toMatchObject({
      reason: null,
      purchaseKind,
      endsAtMs: null,
      appAccountToken: null,
    });
  });

  it.each(['FAMILY_SHARED', 'ASSIGNED', 'SOMETHING_NEW'])(
    'tells apart purchases that another customer paid: %s',
    async (ownership) => {
      const subscription = newSubscription();
      Object.assign(subscription.latest, { inAppOwnershipType: ownership });
      expect((await read(subscription.askConsumption())).refundRequest?.isOfBuyer).toBe(false);
    },
  );

  it('recognizes Advanced Commerce purchases', async () => {
    const subscription = newSubscription();
    Object.assign(subscription.latest, { advancedCommerceInfo: { items: [] } });
    expect((await read(subscription.askConsumption())).refundRequest?.isAdvancedCommerce).toBe(true);
  });

  it('ignores any other notification', async () => {
    expect(await read(newSubscription().renew())).toMatchObject({ refundRequest: null, refundOutcome: null });
    expect(await read(store.test())).toMatchObject({ refundRequest: null, refundOutcome: null });
  });
});

describe('the outcome of a refund request', () => {
  it.each([
    ['in full', {}, { outcome: 'refunded', milliPercent: 100_000 }],
    ['with a type', { revocationType: 'REFUND_FULL' }, { outcome: 'refunded', milliPercent: 100_000 }],
    [
      'for a reason that is not known',
      { revocationReason: 9 },
      { outcome: 'refunded', milliPercent: 100_000 },
    ],
    [
      'in part',
      { revocationType: 'REFUND_PRORATED', revocationPercentage: 40_000 },
      { outcome: 'partially_refunded', milliPercent: 40_000 },
    ],
    [
      'in part without a percentage',
      { revocationType: 'REFUND_PRORATED' },
      { outcome: 'partially_refunded', milliPercent: null },
    ],
  ])('reports a refund %s', async (_, more, outcome) => {
    const subscription = newSubscription();
    const { transactionId } = subscription.latest;
    expect(await outcomeIn(subscription.refund(subscription.latest, more))).toEqual({
      transactionId,
      atMs: NOW_MS,
      amountMicros: null,
      ...outcome,
    });
  });

  it('reports the amount of refunded seats', async () => {
    const subscription = store.subscribe(store.account(), fakeProducts.monthly, {
      tiers: [{ price: 13_990, quantity: 50 }],
    });
    const { latest } = subscription;
    latest.multiSeatInfo = { ...(latest.multiSeatInfo as object), revokedSeatQuantity: 10 };
    expect(await outcomeIn(subscription.notification('REFUND', 'SEATS'))).toMatchObject({
      outcome: 'partially_refunded',
      amountMicros: 139_900_000,
      milliPercent: null,
    });
  });

  it('reports a refund without details', async () => {
    expect(await outcomeIn(newSubscription().notification('REFUND', null))).toMatchObject({
      outcome: 'refunded',
      amountMicros: null,
      milliPercent: null,
    });
  });

  it('reports declined and reversed refunds', async () => {
    const subscription = newSubscription();
    expect(await outcomeIn(subscription.declineRefund())).toMatchObject({ outcome: 'declined' });
    subscription.refund();
    expect(await outcomeIn(subscription.reverseRefund())).toMatchObject({ outcome: 'reversed' });
  });

  it('ignores the end of sharing, and purchases that another customer paid', async () => {
    expect(await outcomeIn(newSubscription({ isFamilyMember: true }).revokeFamily())).toBeNull();
    expect(await outcomeIn(newSubscription({ isFamilyMember: true }).refund())).toBeNull();
  });
});

describe('an answer sent to the App Store', () => {
  const refund: AppleRefund = {
    purchaseKind: 'consumable',
    isAdvancedCommerce: false,
    appAccountToken: null,
    preference: 'grant_prorated',
    deliveryStatus: 'delivered',
    consumedShare: 68_000,
    sampleContentProvided: false,
    customer: { firstSeenAtMs: NOW_MS, isOfAppStoreOnly: true, spending: null },
  };
  const answer = appleRefundAnswer(refund, NOW_MS);
  const renewing = appleRefundAnswer({ ...refund, purchaseKind: 'auto_renewable' }, NOW_MS);
  const buy = (): Record<string, unknown> => store.buy(store.account(), fakeProducts.coins).transaction;

  it.each([
    ['a consumable', answer, {}, buy],
    ['an auto-renewable subscription', renewing, {}, () => newSubscription().latest],
    [
      'an Advanced Commerce purchase',
      appleRefundAnswer({ ...refund, isAdvancedCommerce: true }, NOW_MS),
      { advancedCommerceInfo: { items: [] } },
      buy,
    ],
  ])('satisfies the App Store for %s', async (_, valid, more, newTransaction) => {
    const transaction = Object.assign(newTransaction(), more);
    expect(await send(String(transaction.transactionId), valid)).toEqual({ result: 'sent' });
  });

  it.each<[string, number, object, AppleRefundAnswer]>([
    ['an assigned seat', 4000227, { inAppOwnershipType: 'ASSIGNED' }, answer],
    ['a family member', 4000185, { inAppOwnershipType: 'FAMILY_SHARED' }, answer],
    ['a share of an auto-renewable subscription', 4000228, { type: 'Auto-Renewable Subscription' }, answer],
    ['a prorated refund without a share', 4000229, {}, renewing],
    ['the wrong version', 4000000, { advancedCommerceInfo: { items: [] } }, answer],
    [
      'a customer who did not consent',
      4000035,
      {},
      { version: 'v2', body: { ...renewing.body, customerConsented: false } as never },
    ],
    [
      'a consumed share of an undelivered purchase',
      4000228,
      {},
      { version: 'v2', body: { ...answer.body, deliveryStatus: 'UNDELIVERED_OTHER' } as never },
    ],
  ])('reports the App Store’s code if it refuses %s', async (_, code, more, invalid) => {
    const transaction = Object.assign(buy(), more);
    expect(await send(String(transaction.transactionId), invalid)).toEqual({
      result: 'refused',
      code: String(code),
      message: expect.stringMatching(/^The App Store answered: /) as string,
    });
  });

  it('reports a transaction that the App Store does not know', async () => {
    expect(await send('123456', answer)).toMatchObject({ result: 'refused', code: '4040010' });
  });

  it.each<[string, ApiAnswer, number | null]>([
    [
      'the time that Apple names',
      {
        status: 429,
        body: { errorCode: 4290000, errorMessage: 'Rate limit exceeded.' },
        headers: { 'retry-after': String(NOW_MS + HOUR_MS) },
      },
      HOUR_MS,
    ],
    ['an error of the server', serverError, null],
    ['a lost connection', { status: 0, instead: 'reset' }, null],
  ])('allows a repetition after %s', async (_, interference, retryAfterMs) => {
    api.interfere = () => interference;
    const { transactionId } = buy();
    expect(await send(String(transactionId), answer)).toMatchObject({ result: 'busy', retryAfterMs });
  });

  it('waits for a key that Apple accepts', async () => {
    api.interfere = () => unauthorized;
    const { transactionId } = buy();
    expect(await send(String(transactionId), answer)).toMatchObject({
      result: 'credentials',
      message: expect.stringContaining('in-app purchase key') as string,
    });
  });
});
