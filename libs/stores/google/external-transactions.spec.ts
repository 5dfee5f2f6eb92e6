import { chargeOf, google, monthly, refundOf, reportsOf } from '../../../test/support/external-charges.js';
import { FakePlay } from '../../../test/support/fake-play/fake-play.js';
import { FakePlayServer } from '../../../test/support/fake-play/fake-play-server.js';
import { googleError } from '../../../test/support/fake-play/play-answer.js';
import type { GoogleReport } from '../../external-reports/index.js';
import { ManualClock } from '../../kernel/index.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import { sendGoogleReport } from './external-transactions.js';
import { GoogleClients } from './google-clients.js';
import { PlayApi } from './play-api.js';

const clock = new ManualClock(Date.UTC(2026, 11, 1));
const nowMs = (): number => clock.nowMs();

describe('reports to Google Play', () => {
  const play = new FakePlay(clock, 'com.example.app');
  const server = new FakePlayServer(play);

  beforeAll(() => server.start());
  afterAll(() => server.close());
  beforeEach(() => {
    server.interfere = () => undefined;
    server.external.transactions.clear();
  });

  const send = (report: GoogleReport | undefined, token: string | null = 'token-1') => {
    if (!report) throw new Error('There is no report.');
    const { client_email: clientEmail, private_key: privateKeyPem } = server.serviceAccount;
    const urls = { api: server.url, token: `${server.url}/token` };
    const clients = new GoogleClients(urls, new CircuitBreaker(nowMs));
    const app = { packageName: play.packageName, serviceAccount: { clientEmail, privateKeyPem } };
    return sendGoogleReport(new PlayApi(app, clients, AbortSignal.timeout(5_000)), report, token);
  };
  const bodies = (charges: Parameters<typeof reportsOf>[0]): GoogleReport[] =>
    reportsOf(charges, google).map(({ body }) => body as GoogleReport);

  it('sends an initial transaction, renewals and refunds', async () => {
    const half = refundOf(chargeOf(1), 6_050_000);
    for (const report of bodies([monthly, chargeOf(1), half, { ...half, sourceKey: 'other' }])) {
      expect(await send(report)).toEqual({ outcome: 'sent', wasKnown: false });
    }
    expect(server.external.transactions.get('oprt1')).toMatchObject({ token: 'token-1' });
    expect(server.external.transactions.get('oprt2')).toMatchObject({ token: null, leftMicros: 0n });
  });

  it('recognizes transactions and refunds that were accepted before', async () => {
    for (const report of bodies([
      monthly,
      refundOf(monthly, 6_050_000),
      refundOf(monthly, 1_000_000, 'other'),
    ])) {
      await send(report);
      expect(await send(report)).toEqual({ outcome: 'sent', wasKnown: true });
    }
    const [first, full] = bodies([{ ...monthly }, refundOf(monthly, 12_100_000)]);
    server.external.transactions.clear();
    await send(first);
    await send(full);
    expect(await send(full)).toEqual({ outcome: 'sent', wasKnown: true });
  });

  it('refuses a renewal before its initial transaction', async () => {
    const [, renewal] = bodies([monthly, chargeOf(1)]);
    expect(await send(renewal)).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('Unknown initial transaction.') as string,
    });
  });

  it('refuses a token that another series used', async () => {
    const [first] = bodies([monthly]);
    await send(first);
    const other = first && { ...first, externalTransactionId: 'oprt9' };
    expect(await send(other)).toMatchObject({ outcome: 'refused' });
  });

  it.each([
    ['credentials', googleError(403, 'permissionDenied')],
    ['credentials', googleError(404, 'applicationNotFound')],
    ['busy', googleError(500, 'backendError')],
    ['busy', googleError(429, 'rateLimitExceeded')],
  ])('answers %s', async (outcome, answer) => {
    server.interfere = () => answer;
    expect(await send(bodies([monthly])[0])).toMatchObject({ outcome });
  });

  it('returns how long a busy store wants to be left alone', async () => {
    server.interfere = () => ({ ...googleError(429, 'rateLimitExceeded'), headers: { 'retry-after': '30' } });
    expect(await send(bodies([monthly])[0])).toMatchObject({ outcome: 'busy', retryAfterMs: 30_000 });
  });
});
