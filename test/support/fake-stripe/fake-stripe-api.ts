import { FakeHttp, type FakeAnswer, type FakeCall } from '../fake-http.js';
import type { FakeStripe, StripeObject } from './fake-stripe.js';
import type { FakeInvoice } from './fake-stripe-subscription.js';

const error = (status: number, type: string, message: string, code?: string): FakeAnswer => ({
  status,
  body: { error: { type, message, ...(code && { code }) } },
});

export const stripeErrors = {
  revoked: error(401, 'invalid_request_error', 'Invalid API Key provided: rk_live_*****Fake'),
  forbidden: error(403, 'invalid_request_error', "The key does not have the permission 'rak_charge_read'."),
  liveWithTestKey: error(
    404,
    'invalid_request_error',
    "No such subscription: 'sub_1'; a similar object exists in live mode, but a test mode key was used to make this request.",
    'resource_missing',
  ),
  publishable: error(
    400,
    'invalid_request_error',
    'This API call cannot be made with a publishable API key.',
    'secret_key_required',
  ),
  badRequest: error(400, 'invalid_request_error', 'This property cannot be expanded (schedule).'),
  noAddress: error(404, 'invalid_request_error', 'Unrecognized request URL (GET: /v1/subscription).'),
  tooMany: {
    ...error(429, 'invalid_request_error', 'Too many requests.', 'rate_limit'),
    headers: { 'retry-after': '120' },
  },
  down: error(500, 'api_error', 'Something went wrong on our end.'),
  unavailable: { status: 503, body: 'not json' },
  missing: error(404, 'invalid_request_error', 'No such object.', 'resource_missing'),
} satisfies Record<string, FakeAnswer>;

const PAGE = 100;
const LINES_SHOWN = 10;

/** Stripe's API over the objects of a fake account. */
export class FakeStripeApi extends FakeHttp {
  constructor(private readonly stripe: FakeStripe) {
    super();
  }

  protected answer({ path, query, headers }: FakeCall): FakeAnswer {
    if (headers.authorization !== `Bearer ${this.stripe.secretKey}`) return stripeErrors.revoked;
    const [, invoiceId] = /^\/v1\/invoices\/(\w+)\/lines$/.exec(path) ?? [];
    if (invoiceId !== undefined) return page(this.linesOf(invoiceId), query);
    const [, sessionId] = /^\/v1\/checkout\/sessions\/(\w+)\/line_items$/.exec(path) ?? [];
    if (sessionId !== undefined) return page(this.itemsOf(sessionId), query);
    const [, kind = '', id] = /^\/v1\/(checkout\/sessions|\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (kind === 'subscriptions' && id) return found(this.stripe.subscriptions.get(id)?.now);
    if (kind === 'charges' && id) return found(this.stripe.charges.find((charge) => charge.id === id));
    if (kind === 'checkout/sessions' && id) return found(sessionShown(this.stripe.sessions.get(id)));
    const all = this.listed(kind, query);
    return all ? page(all, query) : stripeErrors.missing;
  }

  private listed(kind: string, query: URLSearchParams): StripeObject[] | null {
    const lives = [...this.stripe.subscriptions.values()];
    const sessions = [...this.stripe.sessions.values()];
    switch (kind) {
      case 'subscriptions':
        return lives.map(({ now }) => now);
      case 'invoices': {
        const own = lives.filter(
          ({ id, customer }) => id === query.get('subscription') || customer === query.get('customer'),
        );
        return own.flatMap(({ invoices }) => invoices).map(shown);
      }
      case 'charges':
        return this.stripe.charges.filter(({ customer }) => customer === query.get('customer'));
      case 'disputes': {
        const charge = query.get('charge');
        return this.stripe.disputes.filter((one) => charge === null || one.charge === charge);
      }
      case 'credit_notes':
        return this.stripe.creditNotes.filter(({ invoice }) => invoice === query.get('invoice'));
      case 'prices':
        return this.stripe.catalog.map((price) => withProduct(price, query));
      case 'payment_intents':
      case 'subscription_schedules':
        return [];
      case 'invoice_payments':
        return this.invoicePayments(query.get('payment[payment_intent]') ?? '');
      case 'checkout/sessions': {
        const intent = query.get('payment_intent');
        return sessions
          .filter(({ payment_intent: paid }) => intent === null || (paid as StripeObject)?.id === intent)
          .flatMap((session) => sessionShown(session) ?? []);
      }
      default:
        return null;
    }
  }

  private get invoices(): FakeInvoice[] {
    return [...this.stripe.subscriptions.values()].flatMap((life) => life.invoices);
  }

  private itemsOf(sessionId: string): StripeObject[] {
    const list = this.stripe.sessions.get(sessionId)?.line_items as { data: StripeObject[] } | undefined;
    return list?.data ?? [];
  }

  private linesOf(invoiceId: string): StripeObject[] {
    return this.invoices.find(({ id }) => id === invoiceId)?.lines ?? [];
  }

  private invoicePayments(intent: string): StripeObject[] {
    const { invoices } = this;
    const invoice = invoices.find(({ charge }) => charge?.payment_intent === intent);
    return invoice ? [{ id: 'inpay_1', object: 'invoice_payment', invoice: shown(invoice) }] : [];
  }
}

/** The product of a price is an id unless the caller asks for more. */
function withProduct(price: StripeObject, query: URLSearchParams): StripeObject {
  const isExpanded = [...query.values()].includes('data.product');
  return isExpanded ? price : { ...price, product: (price.product as StripeObject).id };
}

function firstOf(all: StripeObject[]): object {
  return { object: 'list', data: all.slice(0, LINES_SHOWN), has_more: all.length > LINES_SHOWN };
}

/** An invoice as lists show it. */
function shown({ lines, ...invoice }: FakeInvoice): StripeObject {
  return { ...invoice, lines: firstOf(lines) };
}

function sessionShown(session: StripeObject | undefined): StripeObject | undefined {
  const list = session?.line_items as { data: StripeObject[] } | undefined;
  return session && { ...session, line_items: firstOf(list?.data ?? []) };
}

function found(object: StripeObject | undefined): FakeAnswer {
  return object ? { status: 200, body: object } : stripeErrors.missing;
}

function page(all: StripeObject[], query: URLSearchParams): FakeAnswer {
  const after = query.get('starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const to = from + Number(query.get('limit') ?? PAGE);
  return { status: 200, body: { object: 'list', data: all.slice(from, to), has_more: to < all.length } };
}
