import type { ApiAnswer } from './fake-app-store/fake-server-api.js';

const CURRENCIES = new Set(
  (
    'CLP EUR QAR COP VND EGP THB HKD NOK BRL GBP AUD SEK INR BGN ZAR KZT NGN TWD MXN CHF PEN DKK AED ILS KRW PHP ' +
    'TZS PKR HUF IDR CNY MYR RUB RON SGD TRY CZK SAR USD NZD PLN JPY CAD'
  ).split(' '),
);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const STATUSES = ['LINE_ITEM', 'NO_LINE_ITEM', 'UNRECOGNIZED_TOKEN', 'DUPLICATE_TOKEN'];
const EVENTS = ['SUBSCRIPTION_START', 'RENEWAL', 'SUBSCRIPTION_CHANGE', 'SUBSCRIPTION_PAYMENT'];
const AMOUNTS = ['amountTaxInclusive', 'amountTaxExclusive', 'taxAmount', 'netAmountTaxExclusive'] as const;

type Line = Record<string, any>;

function refusal(errorMessage: string, errors: { lineItemId: unknown; message: string }[] = []): ApiAnswer {
  return { status: 400, body: { errorCode: 4000099, errorMessage, ...(errors.length > 0 && { errors }) } };
}

/** Apple's rules for reports about purchases outside the App Store. A report is accepted completely or not at all. */
export class AppleReportRules {
  /** Accepted reports by request identifier. */
  readonly accepted = new Map<string, Record<string, unknown>>();
  /** Tokens that Apple has not issued. */
  readonly unknownTokens = new Set<string>();
  private lines = new Map<string, Line>();

  accept(report: Record<string, unknown>): ApiAnswer {
    const { requestIdentifier, externalPurchaseId, status, lineItems } = report;
    if (typeof requestIdentifier !== 'string' || !UUID.test(requestIdentifier))
      return refusal('Invalid requestIdentifier.');
    if (this.accepted.has(requestIdentifier)) return refusal('Duplicate requestIdentifier.');
    if (typeof externalPurchaseId !== 'string' || externalPurchaseId === '')
      return refusal('Invalid externalPurchaseId.');
    if (this.unknownTokens.has(externalPurchaseId)) return refusal('Unknown externalPurchaseId.');
    if (!STATUSES.includes(String(status))) return refusal('Invalid status.');
    const hasLines = Array.isArray(lineItems) && lineItems.length > 0;
    if ((status === 'LINE_ITEM') !== hasLines || (!hasLines && lineItems !== undefined))
      return refusal('Line items belong to the status LINE_ITEM.');
    const next = new Map(this.lines);
    const lines = (lineItems ?? []) as Line[];
    const invalid = ({ lineItemId }: Line, message: string): ApiAnswer =>
      refusal('Invalid line items.', [{ lineItemId, message }]);
    for (const line of lines) {
      const message = this.fault(line, next);
      if (message !== null) return invalid(line, message);
      next.set(line.lineItemId, { ...line, externalPurchaseId });
    }
    for (const line of lines) {
      const message = netFault(line, next);
      if (message !== null) return invalid(line, message);
    }
    this.lines = next;
    this.accepted.set(requestIdentifier, structuredClone(report));
    return { status: 200, body: {} };
  }

  private fault(line: Line, known: ReadonlyMap<string, Line>): string | null {
    const { lineItemId, eventType } = line;
    if (typeof lineItemId !== 'string' || lineItemId === '' || lineItemId.length > 128)
      return 'Invalid lineItemId.';
    if (!Number.isInteger(line.creationDate)) return 'Invalid creationDate.';
    const before = known.get(lineItemId);
    if (before && line.restatement !== true) return 'The lineItemId is used.';
    if (!before && line.restatement !== undefined) return 'There is nothing to restate.';
    if (line.erroneouslySubmitted !== undefined && line.restatement !== true)
      return 'Only a restatement can be erroneously submitted.';
    return (
      this.moneyFault(line) ?? (eventType === 'REFUND' ? refundFault(line, known) : buyFault(line, known))
    );
  }

  private moneyFault(line: Line): string | null {
    if (!AMOUNTS.every((field) => Number.isInteger(line[field]) && line[field] >= 0))
      return 'Invalid amounts.';
    if (line.amountTaxInclusive !== line.amountTaxExclusive + line.taxAmount)
      return 'The amounts do not add up.';
    if (!/^[A-Z]{3}$/.test(line.taxCountry)) return 'Invalid taxCountry.';
    if (!/^[A-Z]{3}$/.test(line.pricingCurrency)) return 'Invalid pricingCurrency.';
    if (!CURRENCIES.has(line.reportingCurrency)) return 'Invalid reportingCurrency.';
    const isConverted = line.reportingCurrency !== line.pricingCurrency;
    if (isConverted !== line.exchangeRate > 0) return 'Invalid exchangeRate.';
    return null;
  }
}

function refundFault(line: Line, known: ReadonlyMap<string, Line>): string | null {
  if (known.get(line.referenceLineItemId)?.eventType !== 'BUY') return 'Unknown referenceLineItemId.';
  const hasProduct = line.productType !== undefined || line.subscriptionEvent !== undefined;
  return hasProduct ? 'A refund has no product.' : null;
}

/** Checks what is left of a refunded charge after the whole report. */
function netFault(line: Line, known: ReadonlyMap<string, Line>): string | null {
  if (line.eventType !== 'REFUND') return null;
  const standing = [...known.values()].filter(
    (other) =>
      other.eventType === 'REFUND' &&
      other.referenceLineItemId === line.referenceLineItemId &&
      other.erroneouslySubmitted !== true,
  );
  const whole = Number(known.get(line.referenceLineItemId)?.amountTaxExclusive);
  const net = standing.reduce((left, refund) => left - Number(refund.amountTaxExclusive), whole);
  return net === line.netAmountTaxExclusive ? null : `The net amount is ${net}.`;
}

function buyFault(line: Line, known: ReadonlyMap<string, Line>): string | null {
  if (line.eventType !== 'BUY') return 'Invalid eventType.';
  if (line.netAmountTaxExclusive !== line.amountTaxExclusive) return 'The net amount differs.';
  if (typeof line.productIdentifier !== 'string' || !(line.quantity >= 1)) return 'Invalid product.';
  if (line.productType === 'ONE_TIME_BUY') {
    return line.subscriptionEvent === undefined ? null : 'A one-time purchase has no subscriptionEvent.';
  }
  if (line.productType !== 'SUBSCRIPTION' || !EVENTS.includes(line.subscriptionEvent))
    return 'Invalid productType.';
  if (!Number.isInteger(line.subscriptionStartDate)) return 'Invalid subscriptionStartDate.';
  const days = line.subscriptionDaysOfPaidService;
  if (!Number.isInteger(days) || days < 0) return 'Invalid subscriptionDaysOfPaidService.';
  if (line.subscriptionEvent === 'SUBSCRIPTION_START') {
    return days === 0 && line.referenceLineItemId === undefined ? null : 'Invalid start.';
  }
  const start = known.get(line.referenceLineItemId);
  return start?.subscriptionEvent === 'SUBSCRIPTION_START' ? null : 'Unknown referenceLineItemId.';
}
