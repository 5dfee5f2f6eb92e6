import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { patientServer } from '../patient-server.js';
import { FakeExternalTransactions } from './fake-external-transactions.js';
import { FakePlayCatalog } from './fake-play-catalog.js';
import type { FakePlay } from './fake-play.js';
import { googleError, type PlayAnswer, type PlayCall } from './play-answer.js';
import { reviewProblem } from './review-rules.js';

const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const PAGE = 3;

export const CLIENT_EMAIL = 'tenure@example-project.iam.gserviceaccount.com';

/** Signs push tokens. All servers share it, because a new one takes long. */
const pushKey = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The Google Play Developer API, the token endpoint and the certificates of a fake Google, on one port. */
export class FakePlayServer {
  readonly calls: PlayCall[] = [];
  /** Reports about purchases outside Google Play. */
  readonly external = new FakeExternalTransactions();
  readonly catalog = new FakePlayCatalog();
  /** Number of access tokens issued. */
  tokens = 0;
  /** Answers in place of the real one; undefined: the real one. */
  interfere: (call: PlayCall) => PlayAnswer | undefined = () => undefined;
  /** A different answer of the token endpoint. */
  refuseTokens: PlayAnswer | null = null;
  /** The account lacks "View financial data": orders are refused, purchases are not. */
  hideOrders = false;
  /** The keys of the push tokens cannot be read. */
  hideCerts = false;
  /** Delay of each answer. */
  latencyMs = 0;
  url = '';
  readonly serviceAccount: { type: string; client_email: string; private_key: string; token_uri: string };
  private readonly accountKey;
  private readonly accessTokens = new Set<string>();
  private readonly server: Server;

  constructor(private readonly play: FakePlay) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.accountKey = createPublicKey(privateKey);
    this.serviceAccount = {
      type: 'service_account',
      client_email: CLIENT_EMAIL,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      token_uri: 'http://127.0.0.1:9/elsewhere',
    };
    this.server = createServer(
      { ...patientServer, maxHeaderSize: 256 * 1024 },
      (request, response) => void this.serve(request, response),
    );
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** All access tokens end at once. */
  revokeTokens(): void {
    this.accessTokens.clear();
  }

  /** A token as Pub/Sub pushes with it; `claims` and `header` replace what is right. */
  pushToken(claims: Record<string, unknown>, header: Record<string, unknown> = {}, key = pushKey.privateKey) {
    const nowS = Math.floor(this.play.nowMs / 1000);
    const payload = { iss: 'https://accounts.google.com', iat: nowS, exp: nowS + 3600, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'push-1', typ: 'JWT', ...header })
      .sign(key);
  }

  get pushPublicKeyPem(): string {
    return pushKey.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '', 'http://fake');
    if (this.latencyMs > 0) await sleep(this.latencyMs);
    const answer = await this.answer(request, url, text);
    if (answer.instead === 'hang') return;
    if (answer.instead === 'reset') {
      request.socket.destroy();
      return;
    }
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
  }

  private async answer(request: IncomingMessage, url: URL, text: string): Promise<PlayAnswer> {
    if (url.pathname === '/token') return this.refuseTokens ?? this.token(new URLSearchParams(text));
    if (url.pathname === '/certs') return this.certs();
    const [, name = '', path = ''] =
      /^\/androidpublisher\/v3\/applications\/([^/]+)(\/.*)$/.exec(url.pathname) ?? [];
    const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
    const call: PlayCall = { method: request.method ?? '', path, query: url.searchParams, body };
    this.calls.push(call);
    const interference = this.interfere(call);
    if (interference) return interference;
    const bearer = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (!this.accessTokens.has(bearer)) return googleError(401, 'authError', 'Invalid Credentials');
    if (decodeURIComponent(name) !== this.play.packageName) {
      return googleError(404, 'applicationNotFound', 'No application was found for the given package name.');
    }
    return this.api(call);
  }

  private token(form: URLSearchParams): PlayAnswer {
    const [header = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8') || '{}') as Record<
      string,
      unknown
    >;
    const isGood =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      claims.iss === CLIENT_EMAIL &&
      claims.aud === AUDIENCE &&
      claims.scope === SCOPE &&
      verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        this.accountKey,
        Buffer.from(signature, 'base64url'),
      );
    if (!isGood) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
    }
    const accessToken = randomUUID();
    this.tokens++;
    this.accessTokens.add(accessToken);
    return { status: 200, body: { access_token: accessToken, expires_in: 3600, token_type: 'Bearer' } };
  }

  private async certs(): Promise<PlayAnswer> {
    if (this.hideCerts) return { status: 503 };
    const jwk: JWK = await exportJWK(pushKey.publicKey);
    return { status: 200, body: { keys: [{ ...jwk, kid: 'push-1', alg: 'RS256', use: 'sig' }] } };
  }

  private api(call: PlayCall): PlayAnswer {
    const { method, path } = call;
    const listed = this.catalog.answer(call);
    if (listed) return listed;
    if (path.startsWith('/externalTransactions')) return this.external.answer(call, this.play.nowMs);
    const [, resource = '', name = '', verb] = /^\/(.+?)\/([^/:]*)(?::(\w+))?$/.exec(path) ?? [];
    const id = decodeURIComponent(name);
    if (this.hideOrders && path.startsWith('/orders'))
      return googleError(403, 'permissionDenied', 'The current user has insufficient permissions.');
    if (path === '/orders:batchGet') return this.batchGet(call);
    if (path === '/purchases/voidedpurchases') return this.voided(call);
    if (method === 'GET' && resource === 'purchases/subscriptionsv2/tokens') return this.subscription(id);
    if (method === 'GET' && resource === 'purchases/productsv2/tokens') return this.product(id);
    if (method === 'GET' && resource === 'orders') return this.order(id);
    if (method === 'GET' && resource.startsWith('purchases/products/')) return this.formerProduct(id);
    if (resource === 'orders' && verb === 'refund') return this.refund(call, id);
    if (resource === 'orders' && verb === 'reviewrefund') return this.reviewRefund(call, id);
    if (verb === 'acknowledge') return this.acknowledge(id);
    if (verb === 'consume') return this.consume(id);
    if (resource === 'purchases/subscriptionsv2/tokens') return this.act(call, id, verb ?? '');
    return googleError(404, 'notFound', 'No such method.');
  }

  /** The older call, which alone names the type of a purchase: 1 is a promotional code. */
  private formerProduct(token: string): PlayAnswer {
    const found = this.play.products.get(token);
    if (!found) return googleError(404, 'purchaseTokenNotFound');
    const purchaseType = found.testPurchaseContext ? 0 : 1;
    return { status: 200, body: found.orderId === undefined ? { purchaseType } : { orderId: found.orderId } };
  }

  private subscription(token: string): PlayAnswer {
    const shown = this.play.shown(token);
    if (shown === 'gone') return googleError(410, 'subscriptionPurchaseNoLongerAvailable');
    if (shown) return { status: 200, body: shown };
    return this.play.products.has(token)
      ? googleError(400, 'invalid', 'Invalid Value')
      : googleError(404, 'purchaseTokenNotFound');
  }

  private product(token: string): PlayAnswer {
    const found = this.play.products.get(token);
    return found ? { status: 200, body: found } : googleError(404, 'purchaseTokenNotFound');
  }

  private batchGet({ query }: PlayCall): PlayAnswer {
    const ids = query.getAll('orderIds');
    if (ids.length > 1000) return googleError(400, 'invalid', 'At most 1000 orders.');
    const orders = ids.map((id) => this.play.orders.get(id));
    return orders.includes(undefined) ? googleError(404, 'orderNotFound') : { status: 200, body: { orders } };
  }

  private order(id: string): PlayAnswer {
    const order = this.play.orders.get(id);
    return order ? { status: 200, body: order } : googleError(404, 'orderNotFound');
  }

  private voided({ query }: PlayCall): PlayAnswer {
    const since = Number(query.get('startTime') ?? 0);
    if (since > 0 && since < this.play.nowMs - 30 * 86_400_000)
      return googleError(400, 'invalid', 'Too long ago.');
    const all = this.play.voided.filter(({ voidedTimeMillis }) => Number(voidedTimeMillis) >= since);
    const from = Number(query.get('token') ?? 0);
    const page = all.slice(from, from + PAGE);
    const more = from + page.length < all.length;
    return {
      status: 200,
      body: {
        ...(page.length > 0 && { voidedPurchases: page }),
        ...(more && { tokenPagination: { nextPageToken: String(from + page.length) } }),
      },
    };
  }

  private refund({ query }: PlayCall, orderId: string): PlayAnswer {
    const order = this.play.orders.get(orderId);
    if (!order) return googleError(404, 'orderNotFound');
    if (order.state === 'REFUNDED')
      return googleError(400, 'orderAlreadyRefunded', 'The order is refunded already.');
    const token = order.purchaseToken ?? '';
    const subscription = this.play.subscriptions.get(token);
    const purchase = this.play.products.get(token);
    if (query.get('revoke') !== 'true') this.play.refundOrder(order);
    else if (subscription?.latestOrderId === orderId) subscription.revoke();
    else if (purchase) this.play.refundProduct({ token, purchase });
    return { status: 200, body: '' };
  }

  private reviewRefund({ body }: PlayCall, orderId: string): PlayAnswer {
    const review = this.play.reviews.get(String(body?.pendingRefundToken));
    if (review?.orderId !== orderId) return googleError(400, 'invalid', 'Invalid pending refund token.');
    const problem = reviewProblem(body ?? {});
    if (problem !== null) return googleError(400, 'invalid', problem);
    review.answer ??= body;
    return { status: 200, body: '' };
  }

  private acknowledge(token: string): PlayAnswer {
    const subscription = this.play.subscriptions.get(token);
    const purchase = this.play.products.get(token);
    if (!subscription && !purchase) return googleError(404, 'purchaseTokenNotFound');
    const done = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
    if (subscription?.isAcknowledged || purchase?.acknowledgementState === done) {
      return googleError(400, 'invalid', 'The purchase is acknowledged already.');
    }
    if (subscription) subscription.isAcknowledged = true;
    if (purchase) purchase.acknowledgementState = done;
    return { status: 204, body: '' };
  }

  /** Also what is acknowledged; the app does the same on the phone. */
  private consume(token: string): PlayAnswer {
    const purchase = this.play.products.get(token);
    if (!purchase) return googleError(404, 'purchaseTokenNotFound');
    const consumed = 'CONSUMPTION_STATE_CONSUMED';
    const offers = (purchase.productLineItem ?? []).map((item) => (item.productOfferDetails ??= {}));
    if (purchase.purchaseStateContext?.purchaseState !== 'PURCHASED')
      return googleError(400, 'invalid', 'The purchase is not owned.');
    if (offers.some(({ consumptionState }) => consumptionState === consumed))
      return googleError(400, 'invalid', 'The purchase is consumed already.');
    for (const offer of offers) offer.consumptionState = consumed;
    purchase.acknowledgementState = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED';
    return { status: 204, body: '' };
  }

  private act({ body }: PlayCall, token: string, verb: string): PlayAnswer {
    const subscription = this.play.subscriptions.get(token);
    if (!subscription) return googleError(404, 'purchaseTokenNotFound');
    if (verb === 'cancel') subscription.cancel('developer');
    if (verb === 'revoke') {
      const { itemBasedRefund: item } = body?.revocationContext as {
        itemBasedRefund?: { productId: string };
      };
      if (item) subscription.revokeItem(item.productId);
      else subscription.revoke();
    }
    if (verb !== 'defer') return { status: 200 };
    const { deferDuration, etag } = body?.deferralContext as { deferDuration: string; etag: string };
    const shown = subscription.shown;
    if (shown === 'gone' || shown.etag !== etag) return googleError(409, 'conflict', 'Concurrent update.');
    subscription.defer(Number(deferDuration.replace('s', '')) * 1000);
    const expiryTime = new Date(subscription.expiryMs).toISOString();
    return { status: 200, body: { itemExpiryTimeDetails: [{ productId: 'pro', expiryTime }] } };
  }
}
