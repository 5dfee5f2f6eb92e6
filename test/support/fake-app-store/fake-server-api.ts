import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { patientServer } from '../patient-server.js';
import { consumptionAnswer } from './consumption-rules.js';
import type { FakeAppStore } from './fake-app-store.js';
import { FakeRetention } from './fake-retention.js';
import { FakeExternalReports } from './fake-external-reports.js';
import type { Environment } from './fake-subscription.js';

export interface ApiCall {
  environment: Environment;
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown> | null;
}

export interface ApiAnswer {
  status: number;
  body?: object | string;
  headers?: Record<string, string>;
  /** Closes the connection instead, or never answers. */
  instead?: 'reset' | 'hang';
}

const PAGE = 20;

export const transactionNotFound: ApiAnswer = {
  status: 404,
  body: { errorCode: 4040010, errorMessage: 'Transaction id not found.' },
};
export const unauthorized: ApiAnswer = { status: 401, body: 'Unauthenticated\n' };
export const serverError: ApiAnswer = {
  status: 500,
  body: { errorCode: 5000001, errorMessage: 'An unknown error occurred. Please try again.' },
};

/** The App Store Server API of a fake App Store, production and sandbox on two ports. */
export class FakeServerApi {
  readonly calls: ApiCall[] = [];
  readonly key: { privateKeyPem: string; keyId: string; issuerId: string };
  /** Answers in place of the real one; undefined: the real one. */
  interfere: (call: ApiCall) => ApiAnswer | undefined = () => undefined;
  /** Reports about purchases outside the store. */
  readonly externalReports: Record<Environment, FakeExternalReports> = {
    Production: new FakeExternalReports(),
    Sandbox: new FakeExternalReports(),
  };
  /** Notifications that did not arrive. */
  readonly missed: { environment: Environment; sentAtMs: number; body: string }[] = [];
  /** Delay of each answer. */
  latencyMs = 0;
  urls: Record<Environment, string> = { Production: '', Sandbox: '' };
  readonly retention: Record<Environment, FakeRetention>;
  private readonly publicKey;
  private readonly servers: Server[] = [];
  private readonly extensions = new Map<string, { days: number; complete: boolean }>();

  constructor(private readonly store: FakeAppStore) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    this.publicKey = createPublicKey(privateKey);
    const sandbox = new FakeRetention(store, null);
    this.retention = { Production: new FakeRetention(store, sandbox), Sandbox: sandbox };
    this.key = {
      privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      keyId: 'KEY1234567',
      issuerId: '57246542-96fe-1a63-e053-0824d011072a',
    };
  }

  async start(): Promise<void> {
    for (const environment of ['Production', 'Sandbox'] as const) {
      const server = createServer(patientServer, (request, response) => {
        void this.serve(environment, request, response);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      this.servers.push(server);
      this.urls[environment] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  /** The extension of all subscribers of a product comes to its end. */
  completeExtensions(): void {
    for (const extension of this.extensions.values()) extension.complete = true;
  }

  private async serve(
    environment: Environment,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '', 'http://fake');
    const call: ApiCall = {
      environment,
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
    };
    this.calls.push(call);
    if (this.latencyMs > 0) await sleep(this.latencyMs);
    const answer = this.interfere(call) ?? this.answer(call, request.headers.authorization ?? '');
    if (answer.instead === 'hang') return;
    if (answer.instead === 'reset') {
      request.socket.destroy();
      return;
    }
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
  }

  private isAuthorized(authorization: string): boolean {
    const [header = '', payload = '', signature = ''] = authorization.replace(/^Bearer /, '').split('.');
    const parts = [header, payload].map((part) => Buffer.from(part, 'base64url').toString('utf8'));
    if (parts.some((part) => !part.startsWith('{'))) return false;
    const [{ alg, kid }, { iss, aud, bid }] = parts.map(
      (part) => JSON.parse(part) as Record<string, string>,
    ) as [Record<string, string>, Record<string, string>];
    const key = { key: this.publicKey, dsaEncoding: 'ieee-p1363' as const };
    return (
      alg === 'ES256' &&
      kid === this.key.keyId &&
      iss === this.key.issuerId &&
      aud === 'appstoreconnect-v1' &&
      bid === this.store.bundleId &&
      verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
    );
  }

  private answer(call: ApiCall, authorization: string): ApiAnswer {
    if (!this.isAuthorized(authorization)) return unauthorized;
    if (call.path.startsWith('/externalPurchase/'))
      return this.externalReports[call.environment].answer(call);
    if (call.path.startsWith('/inApps/v1/messaging/')) return this.retention[call.environment].answer(call);
    const [, kind = '', last = ''] = /^\/inApps\/v\d\/(.+?)\/?([^/]*)$/.exec(call.path) ?? [];
    if (call.method === 'PUT' && kind === 'subscriptions/extend') return this.extend(call, last);
    if (kind === 'subscriptions/extend') return this.massExtend(call);
    if (kind.startsWith('subscriptions/extend/mass')) return this.massStatus(last);
    if (kind === 'notifications' && last === 'history') return this.missedNotifications(call);
    if (kind === 'transactions/consumption') return this.consumption(call, last);
    if (kind === 'lookup') return this.order(call, last);
    const account = this.store.accountOf(last, call.environment);
    if (!account) return transactionNotFound;
    if (kind === 'subscriptions') return this.statuses(call, last);
    if (kind === 'transactions') return this.transaction(call, last);
    if (kind === 'history' && call.path.startsWith('/inApps/v2/')) return this.history(call, last);
    return { status: 404, body: { errorCode: 4040010 } };
  }

  private head({ environment }: ApiCall): object {
    const { bundleId, appAppleId } = this.store;
    return { environment, bundleId, appAppleId };
  }

  private order({ environment }: ApiCall, id: string): ApiAnswer {
    if (environment === 'Sandbox') return { status: 404, body: { errorCode: 4040010 } };
    const transactions = this.store.orders.get(id);
    // Nothing of the sandbox is an order.
    if (transactions?.[0]?.environment !== 'Production') return { status: 200, body: { status: 1 } };
    const signedTransactions = transactions.map((transaction) => this.store.signed(transaction));
    return { status: 200, body: { status: 0, signedTransactions } };
  }

  private statuses(call: ApiCall, id: string): ApiAnswer {
    const account = this.store.accountOf(id, call.environment);
    const own = this.store.subscriptions.filter((subscription) => subscription.account === account);
    const lastTransactions = own.map((subscription) => ({
      status: subscription.status,
      originalTransactionId: subscription.originalTransactionId,
      signedTransactionInfo: subscription.signed(),
      signedRenewalInfo: subscription.signedRenewal(),
    }));
    const data = [{ subscriptionGroupIdentifier: '21000001', lastTransactions }];
    return { status: 200, body: { ...this.head(call), data: own.length === 0 ? [] : data } };
  }

  private history(call: ApiCall, id: string): ApiAnswer {
    const account = this.store.accountOf(id, call.environment);
    const all = account ? this.store.historyOf(account) : [];
    const ordered = call.query.get('sort') === 'DESCENDING' ? all : [...all].reverse();
    const from = Number(call.query.get('revision') ?? '0');
    const page = ordered.slice(from, from + PAGE);
    return {
      status: 200,
      body: {
        ...this.head(call),
        revision: String(from + page.length),
        hasMore: from + page.length < ordered.length,
        signedTransactions: page.map((transaction) => this.store.signed(transaction)),
      },
    };
  }

  private transaction({ environment }: ApiCall, id: string): ApiAnswer {
    const account = this.store.accountOf(id, environment);
    const all = account ? this.store.historyOf(account) : [];
    const found = all.find(({ transactionId }) => transactionId === id);
    return found
      ? { status: 200, body: { signedTransactionInfo: this.store.signed(found) } }
      : transactionNotFound;
  }

  private consumption({ path, environment, body }: ApiCall, id: string): ApiAnswer {
    const account = this.store.accountOf(id, environment);
    const found = account && this.store.historyOf(account).find(({ transactionId }) => transactionId === id);
    return found ? consumptionAnswer(found, path.startsWith('/inApps/v1/'), body ?? {}) : transactionNotFound;
  }

  private missedNotifications({ environment, query, body }: ApiCall): ApiAnswer {
    const { startDate, endDate, onlyFailures } = body as Record<string, unknown>;
    if (onlyFailures !== true)
      return { status: 400, body: { errorCode: 4000000, errorMessage: 'Not asked.' } };
    const all = this.missed.filter(
      (one) =>
        one.environment === environment &&
        one.sentAtMs >= Number(startDate) &&
        one.sentAtMs <= Number(endDate),
    );
    const from = Number(query.get('paginationToken') ?? '0');
    const page = all.slice(from, from + PAGE);
    return {
      status: 200,
      body: {
        paginationToken: String(from + page.length),
        hasMore: from + page.length < all.length,
        notificationHistory: page.map((one) => ({
          ...(JSON.parse(one.body) as object),
          sendAttempts: [{ attemptDate: one.sentAtMs, sendAttemptResult: 'NO_RESPONSE' }],
        })),
      },
    };
  }

  private extend({ body }: ApiCall, id: string): ApiAnswer {
    const subscription = this.store.subscriptions.find(
      ({ originalTransactionId }) => originalTransactionId === id,
    );
    if (!subscription) return transactionNotFound;
    if (subscription.status !== 1) {
      return { status: 403, body: { errorCode: 4030004, errorMessage: 'Not eligible for an extension.' } };
    }
    subscription.extend(Number(body?.extendByDays));
    const { webOrderLineItemId, expiresDate } = subscription.latest;
    return {
      status: 200,
      body: { originalTransactionId: id, webOrderLineItemId, success: true, effectiveDate: expiresDate },
    };
  }

  private massExtend({ body }: ApiCall): ApiAnswer {
    const requestIdentifier = body?.requestIdentifier as string;
    this.extensions.set(requestIdentifier, { days: Number(body?.extendByDays), complete: false });
    return { status: 200, body: { requestIdentifier } };
  }

  private massStatus(requestIdentifier: string): ApiAnswer {
    const extension = this.extensions.get(requestIdentifier);
    if (!extension) return { status: 404, body: { errorCode: 4040009, errorMessage: 'Request not found.' } };
    const done = { completeDate: this.store.clock.nowMs(), succeededCount: 12, failedCount: 1 };
    return {
      status: 200,
      body: { requestIdentifier, complete: extension.complete, ...(extension.complete && done) },
    };
  }
}
