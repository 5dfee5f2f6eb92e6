import type Stripe from 'stripe';
import { isJsonObject } from '../../kernel/index.js';
import type { CircuitBreaker } from '../circuit-breaker.js';
import { storeFetch, type StoreAnswer, type StoreRequest } from '../store-fetch.js';
import { creditedAmount, isOneOff } from './invoice-money.js';
import { stripeFailure } from './stripe-call-failed.js';
import { type StripeLibrary, stripeLibrary } from './stripe-library.js';

export interface StripeServices {
  /** Has no path; null means Stripe's own. */
  url: string | null;
  deadlineMs: number;
  breaker: CircuitBreaker;
}

/** `appId` keeps the circuit breaker of each app separate. */
export interface StripeCaller {
  appId: string;
  secretKey: string;
}

export type PaidCharge = Stripe.Charge & { disputes?: Stripe.Dispute[] };

export interface StripeHistory {
  subscription: Stripe.Subscription;
  /** Newest first. */
  invoices: Stripe.Invoice[];
  /** Keyed by payment: a payment intent, or a charge without one. */
  charges: Map<string, PaidCharge>;
  /** Amounts that credit notes returned for invoice lines, in Stripe's unit, where a payment was refunded in part. */
  credited: Map<string, number>;
  /** Older invoices were left out. */
  hasMore: boolean;
}

/** The part of a subscription to read, newest first. */
export interface Extent {
  invoices: number;
  /** Maximum number of paid invoices with more lines than a list includes. Each needs a call of its own. */
  longInvoices: number;
}

/** A checkout session with its line items and its payment, if it has one. */
export type StripeSession = Stripe.Checkout.Session;

const PAGE = 100;
const MAX_LINES = 1_000;
/** Invoices whose lines are read concurrently. */
const LINES_AT_ONCE = 5;

function connection(url: string | null): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (url === null) return {};
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, ...(port !== '' && { port }), protocol: protocol === 'http:' ? 'http' : 'https' };
}

export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

/** An invoice paid with a source has a charge without a payment intent. */
export function paymentsOf({ payments }: Stripe.Invoice): string[] {
  return (payments?.data ?? []).flatMap(
    ({ payment }) => idOf(payment.payment_intent) ?? idOf(payment.charge) ?? [],
  );
}

/** Reads the current API version's form and that of webhooks with an older version. */
export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  const { subscription } = invoice as unknown as { subscription?: string | { id: string } | null };
  return idOf(invoice.parent?.subscription_details?.subscription) ?? idOf(subscription);
}

/** The client treats JSON without an error as success, whatever the status. */
function assertError(answer: StoreAnswer): void {
  const body = answer.json();
  if (!isJsonObject(body) || !isJsonObject(body.error)) throw new TypeError('This is not a Stripe error.');
}

/** Headers that errors need. The client would write others to our log. */
const namedHeaders = ['content-type', 'request-id', 'retry-after'];

function responseOf(answer: StoreAnswer): Response {
  const headers = namedHeaders.flatMap((name): [string, string][] => {
    const value = answer.header(name);
    return value === null ? [] : [[name, value]];
  });
  const text = answer.text();
  // Statuses without a body reject even an empty one.
  return new Response(text === '' ? null : text, { status: answer.status, headers });
}

function urlOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : input.toString();
}

/** The client sends texts only. */
function sentBy({ method, headers, body }: RequestInit = {}): Omit<StoreRequest, 'signal'> {
  return {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(typeof body === 'string' && { body }),
  };
}

/** Something other than Stripe may answer, and the client would accept it. */
function own<Answer extends { object: string; id: string }>(
  answer: Answer,
  kind: Answer['object'],
  id: string,
): Answer {
  if (answer.object !== kind || answer.id !== id) throw new TypeError(`This is not a ${kind}.`);
  return answer;
}

/** The default of Stripe's client. */
const STRIPE_URL = 'https://api.stripe.com';

/** Stripe's client with one deadline for all calls. Every failure is a `StripeCallFailed`. */
export class StripeApi {
  private constructor(
    private readonly client: Stripe,
    private readonly stripe: StripeLibrary,
  ) {}

  static async create(
    { appId, secretKey }: StripeCaller,
    { url, deadlineMs, breaker }: StripeServices,
  ): Promise<StripeApi> {
    const library = await stripeLibrary();
    const deadline = AbortSignal.timeout(deadlineMs);
    const send: typeof fetch = async (input, init) => {
      const answer = await storeFetch(breaker, `${url ?? STRIPE_URL} ${appId}`, urlOf(input), {
        ...sentBy(init),
        signal: init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline,
      });
      if (!answer.ok) assertError(answer);
      return responseOf(answer);
    };
    const client = new library(secretKey.trim(), {
      ...connection(url),
      httpClient: library.createFetchHttpClient(send),
      maxNetworkRetries: 0,
      timeout: deadlineMs,
      telemetry: false,
    });
    return new StripeApi(client, library);
  }

  async history(subscriptionId: string, extent: Extent): Promise<StripeHistory> {
    const { invoices: maxInvoices } = extent;
    return this.call(async ({ subscriptions, invoices, charges }) => {
      const subscription = own(
        await subscriptions.retrieve(subscriptionId, { expand: ['schedule.phases.items.price'] }),
        'subscription',
        subscriptionId,
      );
      const customer = idOf(subscription.customer) ?? undefined;
      const [listed, charged] = await Promise.all([
        invoices
          .list({ subscription: subscriptionId, limit: PAGE, expand: ['data.payments'] })
          .autoPagingToArray({ limit: maxInvoices }),
        charges
          .list({ customer, limit: PAGE, expand: ['data.refunds'] })
          .autoPagingToArray({ limit: maxInvoices }),
      ]);
      const billed = await this.withAllLines(listed, extent);
      const paid = new Set(billed.flatMap(paymentsOf));
      const byPayment: [string, PaidCharge][] = [];
      for (const charge of charged) {
        const payment = [idOf(charge.payment_intent), charge.id].find((id) => id !== null && paid.has(id));
        if (!payment || !charge.paid) continue;
        byPayment.push([payment, await this.withDisputes(charge)]);
      }
      const refunded = new Set(
        byPayment.flatMap(([payment, { amount_refunded: back }]) => (back > 0 ? payment : [])),
      );
      const mixed = billed.filter(
        (invoice) => invoice.lines.data.some(isOneOff) && paymentsOf(invoice).some((id) => refunded.has(id)),
      );
      return {
        subscription,
        invoices: billed,
        charges: new Map(byPayment),
        credited: await this.credited(mixed),
        hasMore:
          billed.length < listed.length ||
          listed.length === maxInvoices ||
          (charged.length === maxInvoices && byPayment.length < paid.size),
      };
    });
  }

  session(id: string): Promise<StripeSession> {
    return this.call(async ({ checkout }) =>
      this.complete(
        own(await checkout.sessions.retrieve(id, { expand: sessionParts }), 'checkout.session', id),
      ),
    );
  }

  /** The session of a payment; null if it was made elsewhere. */
  async sessionOfPayment(paymentIntent: string): Promise<StripeSession | null> {
    const expand = sessionParts.map((part) => `data.${part}`);
    return this.call(async ({ checkout }) => {
      const { data } = await checkout.sessions.list({ payment_intent: paymentIntent, limit: 1, expand });
      return data[0] ? this.complete(data[0]) : null;
    });
  }

  /** The subscription of a payment; null if it was for something else. */
  async subscriptionOfPayment(paymentIntent: string): Promise<string | null> {
    if (!paymentIntent.startsWith('pi_')) return this.subscriptionOfCharge(paymentIntent);
    return this.call(async ({ invoicePayments }) => {
      const { data } = await invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent: paymentIntent },
        limit: 1,
        expand: ['data.invoice'],
      });
      const invoice = data[0]?.invoice;
      return typeof invoice === 'object' && !('deleted' in invoice) ? subscriptionOf(invoice) : null;
    });
  }

  /** Stripe finds invoices by payment intents only, so this looks through the invoices of the charge's customer. */
  private async subscriptionOfCharge(chargeId: string): Promise<string | null> {
    return this.call(async ({ charges, invoices }) => {
      const charge = own(await charges.retrieve(chargeId), 'charge', chargeId);
      const customer = idOf(charge.customer);
      if (customer === null) return null;
      for await (const invoice of invoices.list({ customer, limit: PAGE, expand: ['data.payments'] })) {
        if (paymentsOf(invoice).includes(chargeId)) return subscriptionOf(invoice);
      }
      return null;
    });
  }

  /** Up to `max` prices, archived ones included, each with its product. */
  prices(max: number): Promise<Stripe.Price[]> {
    return this.call(({ prices }) =>
      prices.list({ limit: PAGE, expand: ['data.product'] }).autoPagingToArray({ limit: max }),
    );
  }

  /** Reads one of each kind of object that receipts need. */
  async check(): Promise<void> {
    const one = { limit: 1 };
    await this.call(async (stripe) => {
      await stripe.subscriptions.list(one);
      await Promise.all([
        stripe.invoices.list(one),
        stripe.invoicePayments.list(one),
        stripe.charges.list(one),
        stripe.disputes.list(one),
        stripe.paymentIntents.list(one),
        stripe.checkout.sessions.list(one),
        stripe.subscriptionSchedules.list(one),
        stripe.prices.list(one),
      ]);
    });
  }

  /**
   * Reads all lines of long invoices: a list includes only the first lines, and changes come before the period's own
   * line. Stops before the first long invoice beyond the limit.
   */
  private async withAllLines(listed: Stripe.Invoice[], { longInvoices }: Extent): Promise<Stripe.Invoice[]> {
    const long = listed.filter(({ status, lines }) => status === 'paid' && lines.has_more);
    const tooMany = long[longInvoices];
    const waiting = long.slice(0, longInvoices).values();
    const readers = Array.from({ length: LINES_AT_ONCE }, async () => {
      for (const invoice of waiting) await this.readLines(invoice);
    });
    await Promise.all(readers);
    return tooMany ? listed.slice(0, listed.indexOf(tooMany)) : listed;
  }

  private async readLines({ id, lines }: Stripe.Invoice): Promise<void> {
    if (id === undefined) return;
    lines.data = await this.client.invoices
      .listLineItems(id, { limit: PAGE })
      .autoPagingToArray({ limit: MAX_LINES });
    lines.has_more = false;
  }

  /** Amounts by invoice line. A key without permission for credit notes suffices for everything else. */
  private async credited(invoices: Stripe.Invoice[]): Promise<Map<string, number>> {
    const credited = new Map<string, number>();
    for (const { id } of invoices) {
      const notes = await this.client.creditNotes
        .list({ invoice: id, limit: PAGE })
        .autoPagingToArray({ limit: MAX_LINES })
        .catch((error: unknown) => {
          if (error instanceof this.stripe.errors.StripePermissionError) return [];
          throw error;
        });
      for (const { status, type, lines } of notes) {
        if (status === 'void' || type === 'pre_payment') continue;
        for (const line of lines.data) {
          const { invoice_line_item: name } = line;
          if (name !== undefined) credited.set(name, (credited.get(name) ?? 0) + creditedAmount(line));
        }
      }
    }
    return credited;
  }

  /** Only disputed charges need another call. */
  private async withDisputes(charge: Stripe.Charge): Promise<PaidCharge> {
    if (!charge.disputed) return charge;
    const { data } = await this.client.disputes.list({ charge: charge.id, limit: PAGE });
    return { ...charge, disputes: data };
  }

  /** A session includes only its first items. */
  private async complete(session: StripeSession): Promise<StripeSession> {
    const { id, line_items: shown } = session;
    if (!shown?.has_more) return this.disputed(session);
    const data = await this.client.checkout.sessions
      .listLineItems(id, { limit: PAGE })
      .autoPagingToArray({ limit: MAX_LINES });
    return this.disputed({ ...session, line_items: { ...shown, data, has_more: false } });
  }

  private async disputed(session: StripeSession): Promise<StripeSession> {
    const { payment_intent: intent } = session;
    const charge = typeof intent === 'object' ? intent?.latest_charge : null;
    if (!intent || typeof intent !== 'object' || !charge || typeof charge !== 'object') return session;
    return { ...session, payment_intent: { ...intent, latest_charge: await this.withDisputes(charge) } };
  }

  private async call<T>(work: (client: Stripe) => Promise<T>): Promise<T> {
    try {
      return await work(this.client);
    } catch (error) {
      throw stripeFailure(error, this.stripe);
    }
  }
}

const sessionParts = ['line_items', 'payment_intent.latest_charge.refunds'];
