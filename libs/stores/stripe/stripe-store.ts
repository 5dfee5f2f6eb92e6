import type { Environment } from '../../engine/index.js';
import type {
  NamedPurchase,
  PostedReceipt,
  Refreshed,
  StoreAccount,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';
import { withHints } from '../device-hints.js';
import { externalTokenIds, withTokenIds } from '../external-token-ids.js';
import type { SoldOnce } from '../sold-once.js';
import { refused, unavailable, unpaid } from '../verification-failures.js';
import { withUnknown } from '../unknown-values.js';
import { type BoughtItem, checkoutFacts } from './checkout-facts.js';
import { isOneOff } from './invoice-money.js';
import { inLightOfKnown } from './known-facts.js';
import {
  type Extent,
  idOf,
  StripeApi,
  type StripeHistory,
  type StripeServices,
  type StripeSession,
} from './stripe-api.js';
import { StripeCallFailed } from './stripe-call-failed.js';
import { subscriptionFacts } from './subscription-facts.js';
import { unknownInHistory, unknownInSession } from './unknown-in-answers.js';

/** An app that sells with the developer's own Stripe account. */
export interface StripeApp {
  appId: string;
  secretKey: string | null;
  /** The product's type in the catalog now. */
  soldOnce: () => Promise<SoldOnce>;
}

/** Extent read while a caller waits; older invoices of a long subscription are read later. */
const AT_ONCE: Extent = { invoices: 100, longInvoices: 10 };
const AT_MOST: Extent = { invoices: 2_000, longInvoices: 2_000 };

const SUBSCRIPTION = /^sub_[A-Za-z0-9]{1,250}$/;
const SESSION = /^cs_(test_|live_)?[A-Za-z0-9]{1,250}$/;
const PAYMENT = /^((?:pi|ch|py)_[A-Za-z0-9]{1,250})(:\d+)?$/;
/** Id of a line of a subscription's invoice. */
const LINE = /^il_[A-Za-z0-9]{1,250}$/;

const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7101,
  message: 'The app has no Stripe secret key (stripe_secret_key).',
};

/** The failure for a purchase that only Stripe can verify. */
function failureOf(error: unknown): VerificationFailure {
  if (!(error instanceof StripeCallFailed)) throw error;
  const { failure, message } = error;
  if (failure === 'credentials') return { failure, code: 7101, message };
  return failure === 'unavailable' ? unavailable(error) : refused(message);
}

type Asked = Verified | VerificationFailure;

/** Stripe for one app. Only Stripe's own answers count; a token is just an id. */
export class StripeStore implements StoreAdapter {
  readonly store = 'stripe';

  constructor(
    private readonly app: StripeApp,
    private readonly services: StripeServices,
    private readonly nowMs: () => number,
  ) {}

  async verify(receipt: PostedReceipt, { nowMs }: StoreContext): Promise<Asked> {
    const token = receipt.fetchToken.trim();
    if (!SUBSCRIPTION.test(token) && !SESSION.test(token)) {
      return refused('The token is neither a subscription (sub_…) nor a checkout session (cs_…) of Stripe.');
    }
    const asked = await this.ask((api) =>
      SESSION.test(token)
        ? this.bySession(api, token, nowMs)
        : this.bySubscription(api, token, AT_ONCE, nowMs),
    );
    return asked.failure === null ? { ...asked, purchases: withHints(asked.purchases, receipt) } : asked;
  }

  lookUp({ id }: NamedPurchase): Promise<Asked> {
    return this.ask((api) => this.byKey(api, id, this.nowMs()));
  }

  /** `key`: a purchase (subscription, payment, or session without a payment), or any payment for one. */
  async refresh(key: string, environment: Environment): Promise<Refreshed | VerificationFailure> {
    const atMs = this.nowMs();
    // Stripe finds no invoice by its line: what it sold is read with the subscription.
    if (LINE.test(key)) return { failure: null, purchases: [], unfinished: false };
    const asked = await this.ask((api) => this.byKey(api, key, atMs));
    if (asked.failure !== null) return asked;
    if (asked.environment !== environment) return refused('Stripe knows it in another environment.');
    const { purchases, accounts, unknown } = asked;
    return { failure: null, purchases, accounts, unfinished: false, unknown };
  }

  private async ask(work: (api: StripeApi) => Promise<Asked>): Promise<Asked> {
    const { appId, secretKey } = this.app;
    if (secretKey === null) return keyMissing;
    try {
      return await work(await StripeApi.create({ appId, secretKey }, this.services));
    } catch (error) {
      return failureOf(error);
    }
  }

  private async byKey(api: StripeApi, key: string, atMs: number): Promise<Asked> {
    if (SUBSCRIPTION.test(key)) return this.bySubscription(api, key, AT_MOST, atMs);
    if (SESSION.test(key)) return this.bySession(api, key, atMs);
    const [, payment] = PAYMENT.exec(key) ?? [];
    if (payment === undefined) return refused('This is not a key of Stripe.');
    const subscription = await api.subscriptionOfPayment(payment);
    if (subscription !== null) return this.bySubscription(api, subscription, AT_MOST, atMs);
    const session = await api.sessionOfPayment(payment);
    return session ? this.ofSession(api, session, atMs) : refused('No checkout session took that payment.');
  }

  private async bySession(api: StripeApi, id: string, atMs: number): Promise<Asked> {
    return this.ofSession(api, await api.session(id), atMs);
  }

  private async ofSession(api: StripeApi, session: StripeSession, atMs: number): Promise<Asked> {
    const { status, mode, payment_status: paid } = session;
    if (status === 'expired') return refused('The checkout session expired before it was paid.');
    if (status === 'open') return unpaid('The checkout session is not completed yet.');
    const subscription = idOf(session.subscription);
    if (subscription !== null) return this.bySubscription(api, subscription, AT_ONCE, atMs, session);
    if (mode !== 'payment') return refused('The checkout session sold nothing.');
    if (paid === 'unpaid') return unpaid('The payment of the checkout session is not complete yet.');
    const { metadata, payment_intent: intent } = session;
    const tokenIds = externalTokenIds([metadata, typeof intent === 'object' ? intent?.metadata : null]);
    const bought = oneTimePurchases(checkoutFacts(session, atMs), atMs);
    const verified = this.verified(session, bought, tokenIds);
    return withUnknown(verified, unknownInSession(session));
  }

  /** `session`: the checkout that sold the subscription, if it was read. */
  private async bySubscription(
    api: StripeApi,
    id: string,
    extent: Extent,
    atMs: number,
    session?: StripeSession,
  ): Promise<Asked> {
    const history = await api.history(id, extent);
    const tokenIds = externalTokenIds([history.subscription.metadata, session?.metadata]);
    return withUnknown(await this.ofHistory(history, id, atMs, tokenIds), unknownInHistory(history));
  }

  private async ofHistory(
    history: StripeHistory,
    id: string,
    atMs: number,
    tokenIds: string[],
  ): Promise<Asked> {
    const { status } = history.subscription;
    if (status === 'incomplete_expired') return refused('The subscription expired before its first payment.');
    const isMixed = history.invoices.some(({ lines }) => lines.data.some(isOneOff));
    const soldOnce = isMixed ? await this.app.soldOnce() : undefined;
    const reported = subscriptionFacts(history, atMs, soldOnce);
    if (reported === null && status === 'canceled')
      return refused('The subscription ended before its first payment.');
    if (reported === null) return unpaid('The first invoice of the subscription is not paid yet.');
    const observation = { atMs, facts: reported.facts };
    const subscription: VerifiedPurchase = {
      kind: 'subscription',
      key: id,
      firstPostStands: false,
      observation,
      settle: inLightOfKnown(reported, atMs),
    };
    const bought = oneTimePurchases(reported.bought, atMs).map((one) => ({ ...one, soldWith: id }));
    const verified = this.verified(history.subscription, [subscription, ...bought], tokenIds);
    return history.hasMore ? { ...verified, unfinished: [id] } : verified;
  }

  private verified(
    { livemode, customer }: Pick<StripeHistory['subscription'] | StripeSession, 'livemode' | 'customer'>,
    reported: VerifiedPurchase[],
    tokenIds: string[],
  ): Verified {
    const account = idOf(customer);
    const accounts: StoreAccount[] = account === null ? [] : [{ kind: 'stripe_customer_id', key: account }];
    const purchases = withTokenIds(reported, tokenIds);
    return { failure: null, environment: livemode ? 'production' : 'sandbox', purchases, accounts };
  }
}

function oneTimePurchases(bought: BoughtItem[], atMs: number): VerifiedPurchase[] {
  return bought.map(({ key, facts }) => ({
    kind: 'one_time',
    key,
    firstPostStands: false,
    observation: { atMs, facts },
    shouldConsume: false,
  }));
}
