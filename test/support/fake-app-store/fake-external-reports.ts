import type { ApiAnswer, ApiCall } from './fake-server-api.js';

interface Line {
  lineItemId: string;
  eventType: string;
  amountTaxInclusive: number;
  amountTaxExclusive: number;
  taxAmount: number;
  netAmountTaxExclusive: number;
  taxCountry: string;
  pricingCurrency: string;
  reportingCurrency: string;
  exchangeRate?: number;
  restatement?: boolean;
  erroneouslySubmitted?: boolean;
  subscriptionEvent?: string;
  referenceLineItemId?: string;
}

export interface ExternalReport {
  requestIdentifier: string;
  externalPurchaseId: string;
  status: string;
  lineItems?: Line[];
}

const STATUSES = ['LINE_ITEM', 'NO_LINE_ITEM', 'UNRECOGNIZED_TOKEN', 'DUPLICATE_TOKEN'];
const CURRENCIES = new Set(
  (
    'CLP EUR QAR COP VND EGP THB HKD NOK BRL GBP AUD SEK INR BGN ZAR KZT NGN TWD MXN CHF PEN DKK AED ILS KRW PHP ' +
    'TZS PKR HUF IDR CNY MYR RUB RON SGD TRY CZK SAR USD NZD PLN JPY CAD'
  ).split(' '),
);

function refused(errorCode: number, errorMessage: string): ApiAnswer {
  return { status: 400, body: { errorCode, errorMessage } };
}

/** The External Purchase Server API. Refuses what Apple refuses, and then takes nothing of a report. */
export class FakeExternalReports {
  /** Accepted reports, oldest first. */
  readonly reports: ExternalReport[] = [];
  /** Accepted lines by id. */
  private lines = new Map<string, Line>();

  answer({ method, path, body }: ApiCall): ApiAnswer {
    const [, id = ''] = /^\/externalPurchase\/v1\/reports\/?(.*)$/.exec(path) ?? [];
    if (method === 'GET') {
      const report = this.reports.find(({ requestIdentifier }) => requestIdentifier === id);
      return report ? { status: 200, body: report } : { status: 404, body: { errorCode: 4040020 } };
    }
    return method === 'PUT' && id === '' ? this.take(body as unknown as ExternalReport) : { status: 405 };
  }

  private take(report: ExternalReport): ApiAnswer {
    const { requestIdentifier, externalPurchaseId, status, lineItems } = report;
    if (!/^[0-9a-f-]{36}$/.test(requestIdentifier)) return refused(4000101, 'Invalid requestIdentifier.');
    if (this.reports.some((one) => one.requestIdentifier === requestIdentifier)) {
      return refused(4000102, 'Duplicate requestIdentifier.');
    }
    if (!externalPurchaseId || !STATUSES.includes(status))
      return refused(4000103, 'Invalid status or token.');
    if ((status === 'LINE_ITEM') !== (lineItems !== undefined && lineItems.length > 0)) {
      return refused(4000104, 'Line items do not fit the status.');
    }
    const lines = new Map(this.lines);
    for (const line of lineItems ?? []) {
      const problem = problemOf(line, lines);
      if (problem !== null) return refused(4000105, `${line.lineItemId}: ${problem}`);
      lines.set(line.lineItemId, line);
    }
    this.lines = lines;
    this.reports.push(report);
    return { status: 200, body: {} };
  }
}

function problemOf(line: Line, known: ReadonlyMap<string, Line>): string | null {
  const { lineItemId, amountTaxInclusive: inclusive, amountTaxExclusive: exclusive, taxAmount: tax } = line;
  const { referenceLineItemId: reference, restatement = false, erroneouslySubmitted = false } = line;
  if (!lineItemId || lineItemId.length > 128) return 'invalid lineItemId';
  if (known.has(lineItemId) !== restatement)
    return restatement ? 'unknown restatement' : 'duplicate lineItemId';
  if (erroneouslySubmitted && !restatement) return 'erroneouslySubmitted without restatement';
  if (![inclusive, exclusive, tax].every(Number.isInteger)) return 'amounts must be integers';
  if (inclusive !== exclusive + tax || inclusive < 0) return 'amounts do not add up';
  if (!/^[A-Z]{3}$/.test(line.taxCountry)) return 'invalid taxCountry';
  if (!CURRENCIES.has(line.reportingCurrency)) return 'invalid reportingCurrency';
  if ((line.pricingCurrency !== line.reportingCurrency) !== (line.exchangeRate !== undefined)) {
    return 'invalid exchangeRate';
  }
  const isStart = line.subscriptionEvent === 'SUBSCRIPTION_START';
  const needsReference = line.eventType === 'REFUND' || (line.subscriptionEvent !== undefined && !isStart);
  const referenced = reference === undefined ? undefined : known.get(reference);
  if (needsReference && !referenced) return 'unknown referenceLineItemId';
  if (line.eventType !== 'REFUND')
    return line.netAmountTaxExclusive === exclusive ? null : 'wrong net amount';
  const refunds = [...known.values(), line].filter(
    (one) => one.eventType === 'REFUND' && one.referenceLineItemId === reference,
  );
  const standing = new Map(
    refunds.map((one) => [one.lineItemId, one.erroneouslySubmitted ? 0 : one.amountTaxExclusive]),
  );
  const returned = [...standing.values()].reduce((sum, amount) => sum + amount, 0);
  const net = (referenced?.amountTaxExclusive ?? 0) - returned;
  return net >= 0 && line.netAmountTaxExclusive === net ? null : 'wrong net amount';
}
