import { googleError, type PlayAnswer, type PlayCall } from './play-answer.js';

type Body = Record<string, any>;

interface Transaction extends Body {
  /** Token of the initial transaction; null for later ones. */
  token: string | null;
  isRecurring: boolean;
  leftMicros: bigint;
  refundIds: Set<string>;
}

const MINUTE_MS = 60_000;
const CALLS_PER_MINUTE = 1_200;

const invalid = (message: string): PlayAnswer => googleError(400, 'invalidArgument', message);

function isPrice(value: any): value is { priceMicros: string; currency: string } {
  return /^\d+$/.test(value?.priceMicros) && /^[A-Z]{3}$/.test(value?.currency);
}

/** Google's externaltransactions. */
export class FakeExternalTransactions {
  readonly transactions = new Map<string, Transaction>();

  private callsAtMs: number[] = [];

  answer({ method, path, query, body }: PlayCall, nowMs = 0): PlayAnswer {
    this.callsAtMs = [...this.callsAtMs.filter((atMs) => nowMs > 0 && atMs > nowMs - MINUTE_MS), nowMs];
    if (this.callsAtMs.length > CALLS_PER_MINUTE)
      return googleError(429, 'rateLimitExceeded', 'More than 1,200 calls a minute.');
    if (path === '/externalTransactions')
      return this.create(query.get('externalTransactionId') ?? '', body ?? {});
    const [, id = '', verb] = /^\/externalTransactions\/([^/:]+)(?::(\w+))?$/.exec(path) ?? [];
    const found = this.transactions.get(decodeURIComponent(id));
    if (!found) return googleError(404, 'notFound', 'External transaction not found.');
    if (method === 'GET') return { status: 200, body: shown(found) };
    return verb === 'refund'
      ? this.refund(found, body ?? {})
      : googleError(404, 'notFound', 'No such method.');
  }

  private create(id: string, body: Body): PlayAnswer {
    if (!/^[A-Za-z0-9_-]{1,63}$/.test(id)) return invalid('Invalid external transaction id.');
    if (this.transactions.has(id)) return googleError(409, 'alreadyExists', 'The id is used.');
    if (!isPrice(body.originalPreTaxAmount) || !isPrice(body.originalTaxAmount))
      return invalid('Invalid amount.');
    if (!(Date.parse(body.transactionTime) > 0)) return invalid('Invalid transaction time.');
    const { regionCode, administrativeArea } = body.userTaxAddress ?? {};
    if (!/^[A-Z]{2}$/.test(regionCode)) return invalid('Invalid region code.');
    if ((regionCode === 'IN') !== Boolean(administrativeArea)) return invalid('Invalid administrative area.');
    const { oneTimeTransaction: once, recurringTransaction: recurring } = body;
    if ((once === undefined) === (recurring === undefined))
      return invalid('One type of transaction is required.');
    const { externalTransactionToken: token, initialExternalTransactionId: initialId } = once ?? recurring;
    if ((token === undefined) === (initialId === undefined))
      return invalid('A token or an initial id is required.');
    if (recurring && !['RECURRING', 'PREPAID'].includes(recurring.externalSubscription?.subscriptionType))
      return invalid('Invalid subscription type.');
    const initial = initialId === undefined ? null : this.transactions.get(initialId);
    if (initialId !== undefined && !(initial?.isRecurring && initial.token !== null))
      return invalid('Unknown initial transaction.');
    if (
      token === '' ||
      [...this.transactions.values()].some((one) => token !== undefined && one.token === token)
    )
      return invalid('The token is used.');
    const leftMicros = BigInt(body.originalPreTaxAmount.priceMicros);
    const isRecurring = recurring !== undefined;
    this.transactions.set(id, {
      ...body,
      token: token ?? null,
      isRecurring,
      leftMicros,
      refundIds: new Set(),
    });
    return { status: 200, body: { externalTransactionId: id } };
  }

  private refund(transaction: Transaction, body: Body): PlayAnswer {
    const { refundTime, fullRefund, partialRefund } = body;
    if (!(Date.parse(refundTime) > 0)) return invalid('Invalid refund time.');
    if ((fullRefund === undefined) === (partialRefund === undefined))
      return invalid('One type of refund is required.');
    if (transaction.isCanceled === true) return invalid('The transaction is canceled.');
    if (fullRefund !== undefined) {
      transaction.leftMicros = 0n;
      transaction.isCanceled = true;
      return { status: 200, body: shown(transaction) };
    }
    const { refundId, refundPreTaxAmount } = partialRefund;
    if (typeof refundId !== 'string' || transaction.refundIds.has(refundId))
      return invalid('The refund id is used.');
    if (!isPrice(refundPreTaxAmount)) return invalid('Invalid amount.');
    if (refundPreTaxAmount.currency !== transaction.originalPreTaxAmount.currency)
      return invalid('Invalid currency.');
    if (BigInt(refundPreTaxAmount.priceMicros) > transaction.leftMicros)
      return invalid('The refund is too high.');
    transaction.refundIds.add(refundId);
    transaction.leftMicros -= BigInt(refundPreTaxAmount.priceMicros);
    return { status: 200, body: shown(transaction) };
  }
}

function shown({ originalPreTaxAmount, originalTaxAmount, leftMicros }: Transaction): object {
  const currentPreTaxAmount = { ...originalPreTaxAmount, priceMicros: String(leftMicros) };
  return { originalPreTaxAmount, originalTaxAmount, currentPreTaxAmount };
}
