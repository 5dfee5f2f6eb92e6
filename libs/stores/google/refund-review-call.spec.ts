import { FakePlay, playProducts } from '../../../test/support/fake-play/fake-play.js';
import { FakePlayServer } from '../../../test/support/fake-play/fake-play-server.js';
import { googleError, type PlayAnswer } from '../../../test/support/fake-play/play-answer.js';
import { ManualClock } from '../../kernel/index.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import type { AnswerResult } from '../refunds/answer-result.js';
import { readPush, type RefundReviewRequest } from './developer-notification.js';
import { GoogleClients } from './google-clients.js';
import { PlayApi } from './play-api.js';
import { failedReview, PlayCallFailed } from './play-errors.js';
import { type RefundReview, reviewDeadline, voidedOutcome } from './refund-review.js';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 6);
const clock = new ManualClock(NOW_MS);
const play = new FakePlay(clock, 'com.example.app');
const google = new FakePlayServer(play);
const declined: RefundReview = { sampleContentProvided: false, refundPreference: 'DECLINE' };

beforeAll(() => google.start());
afterAll(() => google.close());
beforeEach(() => {
  google.interfere = () => undefined;
  google.refuseTokens = null;
});

function readContent(content: object) {
  const data = { version: '1.0', packageName: play.packageName, eventTimeMillis: String(NOW_MS), ...content };
  return readPush(Buffer.from(JSON.stringify(data)), 'message-1').notification;
}

function newOrderId(): string {
  return play.buy(playProducts.coins).purchase.orderId ?? '';
}

function ask(orderId: string, more: object = {}): RefundReviewRequest {
  const { refundReview } = readContent(play.askReview(orderId, more));
  if (refundReview === null) throw new Error('Google asks about no order.');
  return refundReview;
}

async function send(orderId: string, token: string, review = declined): Promise<AnswerResult> {
  const clients = new GoogleClients(
    { api: google.url, token: `${google.url}/token` },
    new CircuitBreaker(() => clock.nowMs()),
  );
  const account = {
    clientEmail: google.serviceAccount.client_email,
    privateKeyPem: google.serviceAccount.private_key,
  };
  const app = { packageName: play.packageName, serviceAccount: account };
  try {
    await new PlayApi(app, clients, AbortSignal.timeout(5_000)).reviewRefund(orderId, token, review);
    return { result: 'sent' };
  } catch (error) {
    if (error instanceof PlayCallFailed) return failedReview(error);
    throw error;
  }
}

describe('a pending refund review', () => {
  it('contains what Google needs in an answer', () => {
    const orderId = newOrderId();
    expect(ask(orderId, { obfuscatedAccountId: 'account-1' })).toEqual({
      token: expect.stringMatching(/^refund-/) as string,
      orderId,
      reason: 'CHARGEBACK',
      obfuscatedAccountId: 'account-1',
      obfuscatedProfileId: null,
    });
  });

  it.each([
    [7, 'CHARGEBACK'],
    ['CHARGEBACK', 'CHARGEBACK'],
    [3, 'OTHER'],
    ['NEW_REASON', 'OTHER'],
    [undefined, null],
  ])('reads the reason %p as %p', (refundReason, reason) => {
    expect(ask('GPA.1', { refundReason }).reason).toBe(reason);
  });

  it.each([
    ['without a token', { pendingRefundToken: undefined }],
    ['with an empty token', { pendingRefundToken: '' }],
    ['with a token of another type', { pendingRefundToken: 5 }],
    ['with a token that is too long', { pendingRefundToken: 't'.repeat(4_097) }],
    ['without an order', { orderId: undefined }],
    ['with an order id that is too long', { orderId: 'G'.repeat(257) }],
  ])('counts a request %s as unknown and asks nothing', (_, more) => {
    const { refundReview, unknown } = readContent(play.askReview('GPA.1', more));
    expect(refundReview).toBeNull();
    expect(unknown).toEqual([{ field: 'pendingRefundToken', value: 'none' }]);
  });

  it('has a deadline 24 hours after the event or the delivery, whichever came first', () => {
    expect(reviewDeadline(NOW_MS, NOW_MS + HOUR_MS)).toBe(NOW_MS + 24 * HOUR_MS);
    expect(reviewDeadline(NOW_MS + HOUR_MS, NOW_MS)).toBe(NOW_MS + 24 * HOUR_MS);
    expect(reviewDeadline(null, NOW_MS)).toBe(NOW_MS + 24 * HOUR_MS);
  });
});

describe('an answer to a pending refund review', () => {
  it('reaches Google once: later answers are accepted and change nothing', async () => {
    const { orderId, token } = ask(newOrderId());
    expect(await send(orderId, token)).toEqual({ result: 'sent' });
    const approved = { ...declined, refundPreference: 'APPROVE' } as const;
    expect(await send(orderId, token, approved)).toEqual({ result: 'sent' });
    expect(play.reviews.get(token)?.answer).toEqual({ pendingRefundToken: token, ...declined });
  });

  it('contains the share and the usage events', async () => {
    const { orderId, token } = ask(newOrderId());
    const review: RefundReview = {
      ...declined,
      consumptionPercentageMilliunits: 68_000,
      consumptionUsageEvents: [
        { consumptionTime: '2026-11-03T10:00:00Z', ipAddress: '203.0.113.7', location: { regionCode: 'DE' } },
      ],
    };
    expect(await send(orderId, token, review)).toEqual({ result: 'sent' });
    expect(play.reviews.get(token)?.answer).toEqual({ pendingRefundToken: token, ...review });
  });

  it('reports Google’s text if it refuses an unknown token or too many events', async () => {
    const { orderId, token } = ask(newOrderId());
    expect(await send(orderId, 'made-up')).toEqual({
      result: 'refused',
      code: 'invalid',
      message: 'Google Play answered 400: Invalid pending refund token.',
    });
    const consumptionUsageEvents = Array.from({ length: 1_001 }, () => ({}));
    expect(await send(orderId, token, { ...declined, consumptionUsageEvents })).toEqual({
      result: 'refused',
      code: 'invalid',
      message: 'Google Play answered 400: Too many consumptionUsageEvents.',
    });
  });

  it.each<[string, PlayAnswer, number | null]>([
    [
      'the time that Google asks for',
      { ...googleError(429, 'rateLimitExceeded'), headers: { 'retry-after': '120' } },
      120_000,
    ],
    ['a minute without such a time', googleError(429, 'rateLimitExceeded'), 60_000],
    ['as long as the caller likes after an error of the server', googleError(503, 'backendError'), null],
  ])('allows a repetition after %s', async (_, answer, retryAfterMs) => {
    const { orderId, token } = ask(newOrderId());
    google.interfere = () => answer;
    expect(await send(orderId, token)).toMatchObject({ result: 'busy', retryAfterMs });
  });

  it.each([403, 401])('waits for credentials if Google refuses the account with %d', async (status) => {
    const { orderId, token } = ask(newOrderId());
    google.interfere = () => googleError(status, 'permissionDenied');
    expect(await send(orderId, token)).toMatchObject({
      result: 'credentials',
      message: expect.stringContaining('lacks permissions') as string,
    });
  });

  it('never puts the token into an error', async () => {
    const { orderId } = ask(newOrderId());
    const refused = await send(orderId, 'secret-token');
    expect(JSON.stringify(refused)).not.toContain('secret-token');
  });
});

describe('a voided order', () => {
  it('counts as a chargeback if Google reports one', () => {
    const orderId = newOrderId();
    play.chargeBack(orderId);
    const [voided] = play.voided.filter((one) => one.orderId === orderId);
    expect(voided && voidedOutcome(voided)).toEqual({
      transactionId: orderId,
      outcome: 'refunded',
      atMs: NOW_MS,
      amountMicros: null,
      milliPercent: 100_000,
      isChargeback: true,
    });
  });

  it('counts as partly refunded if some units were', () => {
    const bought = play.buy(playProducts.coins, { quantity: 3 });
    play.refundProduct(bought, 1);
    const [voided] = play.voided.filter(({ orderId }) => orderId === bought.purchase.orderId);
    expect(voided && voidedOutcome(voided)).toMatchObject({
      outcome: 'partially_refunded',
      milliPercent: null,
      isChargeback: false,
    });
  });

  it('counts for nothing without an order or a time', () => {
    expect(voidedOutcome({ voidedTimeMillis: String(NOW_MS) })).toBeNull();
    expect(voidedOutcome({ orderId: 'GPA.1' })).toBeNull();
  });
});
