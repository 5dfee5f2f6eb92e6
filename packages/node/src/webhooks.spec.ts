import fc from 'fast-check';
import { signStandardWebhook, signWebhook } from '../../../libs/signing/index.js';
import {
  signForTests,
  type UnknownWebhookEvent,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhooks.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const NOW_S = NOW_MS / 1000;
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one of thirty-two bytes.').toString('base64')}`;
const BODY = '{"api_version":"1.0","event":{"id":"E1","type":"RENEWAL","name":"Zoë"}}';
const nowMs = (): number => NOW_MS;

const standardHeaders = (secrets: string[], body: string | Buffer = BODY, atS = NOW_S) => ({
  'webhook-id': 'E1',
  'webhook-timestamp': String(atS),
  'webhook-signature': signStandardWebhook(secrets, 'E1', atS, body),
});
const ownHeaders = (secrets: string[], body: string | Buffer = BODY, atS = NOW_S) => ({
  'X-Service-Webhook-Signature': signWebhook(secrets, atS, body),
});
const verified = (
  headers: WebhookHeaders,
  secrets: string | string[] = SECRET,
  body: string | Buffer = BODY,
) => verifyWebhook(body, headers, secrets, { nowMs });
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'verified',
    (error: { code?: string }) => error.code ?? error,
  );

/** What a consumer writes: the compiler must know the fields of each type. */
function describeEvent(event: WebhookEvent | UnknownWebhookEvent): string {
  if (event.type === 'CANCELLATION') return `${event.app_user_id} ${event.cancel_reason ?? ''}`;
  if (event.type === 'TRANSFER') return event.transferred_to.join();
  if (event.type === 'VIRTUAL_CURRENCY_TRANSACTION')
    return event.adjustments.map(({ amount }) => amount).join();
  return `other: ${event.type}`;
}

describe('verifyWebhook', () => {
  it.each([
    ['Standard Webhooks', standardHeaders([SECRET])],
    ["the server's own header", ownHeaders([SECRET])],
    ['the vendor-named header', { 'x-revenuecat-webhook-signature': signWebhook([SECRET], NOW_S, BODY) }],
    ['Headers', new Headers(standardHeaders([SECRET]))],
    ['names in upper case', { 'X-SERVICE-WEBHOOK-SIGNATURE': signWebhook([SECRET], NOW_S, BODY) }],
    ['lists of values', { 'x-service-webhook-signature': [signWebhook([SECRET], NOW_S, BODY)] }],
    ['both, of which one was cut', { ...ownHeaders([SECRET]), 'webhook-id': 'E1', 'webhook-timestamp': '1' }],
  ])('accepts %s', async (_, headers) => {
    expect((await verified(headers as WebhookHeaders)).event).toEqual(
      (JSON.parse(BODY) as { event: object }).event,
    );
  });

  it.each([standardHeaders, ownHeaders])(
    'accepts either secret during a rotation, and no other',
    async (sign) => {
      expect(await codeOf(verified(sign([SECRET, OTHER]), OTHER))).toBe('verified');
      expect(await codeOf(verified(sign([OTHER]), [SECRET, OTHER]))).toBe('verified');
      expect(await codeOf(verified(sign([OTHER]), SECRET))).toBe('bad_signature');
    },
  );

  it.each([standardHeaders, ownHeaders])(
    'accepts the bytes that were signed, and no others',
    async (sign) => {
      await fc.assert(
        fc.asyncProperty(fc.json(), fc.string({ minLength: 1 }), async (json, more) => {
          const body = Buffer.from(`{"event":{"type":"TEST","value":${json}}}`);
          expect(await codeOf(verified(sign([SECRET], body), SECRET, body))).toBe('verified');
          const changed = Buffer.concat([body, Buffer.from(more)]);
          expect(await codeOf(verified(sign([SECRET], body), SECRET, changed))).toBe('bad_signature');
        }),
        { numRuns: 30 },
      );
    },
  );

  it('accepts text, a Uint8Array or an ArrayBuffer', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer]) {
      const { event } = await verifyWebhook(body, ownHeaders([SECRET]), SECRET, { nowMs });
      expect(event.type).toBe('RENEWAL');
    }
  });

  it('rejects a parsed body', async () => {
    const parsed = JSON.parse(BODY) as string;
    await expect(verified(ownHeaders([SECRET]), SECRET, parsed)).rejects.toThrow(TypeError);
    await expect(verified(ownHeaders([SECRET]), SECRET, parsed)).rejects.toThrow('Parsed JSON');
  });

  it.each([standardHeaders, ownHeaders])(
    'accepts signatures of the last and the next five minutes',
    async (sign) => {
      const codes = [-301, -300, 300, 301].map((away) =>
        codeOf(verified(sign([SECRET], BODY, NOW_S + away))),
      );
      expect(await Promise.all(codes)).toEqual(['too_old', 'verified', 'verified', 'too_new']);
      const strict = { nowMs, toleranceSeconds: 10 };
      expect(await codeOf(verifyWebhook(BODY, sign([SECRET], BODY, NOW_S - 11), SECRET, strict))).toBe(
        'too_old',
      );
    },
  );

  it('says that a signature is missing, wrong or of a body that cannot be read', async () => {
    expect(await codeOf(verified({}))).toBe('missing_signature');
    expect(await codeOf(verified({ 'webhook-id': 'E1' }))).toBe('missing_signature');
    expect(await codeOf(verified({ 'x-service-webhook-signature': `t=${NOW_S}` }))).toBe('bad_signature');
    expect(await codeOf(verified({ ...standardHeaders([SECRET]), 'webhook-timestamp': 'now' }))).toBe(
      'bad_signature',
    );
    for (const body of ['{', '[]', 'null', '{"event":1}', Buffer.from([0x7b, 0xff])]) {
      expect(await codeOf(verified(ownHeaders([SECRET], body), SECRET, body))).toBe('bad_body');
    }
  });

  it('quotes no secret that cannot be one', async () => {
    const outcome = verified(standardHeaders([SECRET]), 'whsec_not base64');
    await expect(outcome).rejects.toThrow(/^A webhook secret is not base64 after `whsec_`\.$/);
    await expect(verified(standardHeaders([SECRET]), [])).rejects.toThrow(TypeError);
    await expect(verified(standardHeaders([SECRET]), [''])).rejects.toThrow(TypeError);
  });

  it('passes on events and fields that it does not know', async () => {
    const event = { id: 'E2', type: 'SEAT_ASSIGNED', event_timestamp_ms: NOW_MS, seat: { number: 3 } };
    const { body, headers } = await signForTests(event as never, SECRET, { nowMs: NOW_MS });
    const payload = await verified(headers, SECRET, body);
    expect(payload.event).toEqual(event);
    expect(describeEvent(payload.event)).toBe('other: SEAT_ASSIGNED');
  });
});

describe('signForTests', () => {
  it('signs a delivery under every header', async () => {
    const event = { type: 'CANCELLATION' as const, app_user_id: 'ada', cancel_reason: 'UNSUBSCRIBE' };
    const { body, headers } = await signForTests(event, SECRET, { nowMs: NOW_MS });
    const names = Object.keys(headers).filter((name) => name.includes('signature'));
    expect(names).toHaveLength(3);
    for (const name of names) {
      const others = Object.fromEntries(
        Object.entries(headers).filter(([other]) => other === name || !other.includes('signature')),
      );
      expect(describeEvent((await verified(others, SECRET, body)).event)).toBe('ada UNSUBSCRIBE');
    }
  });
});
