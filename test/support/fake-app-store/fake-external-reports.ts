import { AppleReportRules } from '../apple-report-rules.js';
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

/** The External Purchase Server API. Refuses what Apple refuses, and then takes nothing of a report. */
export class FakeExternalReports {
  /** Accepted reports, oldest first. */
  readonly reports: ExternalReport[] = [];
  readonly rules = new AppleReportRules();

  answer({ method, path, body }: ApiCall): ApiAnswer {
    const [, id = ''] = /^\/externalPurchase\/v1\/reports\/?(.*)$/.exec(path) ?? [];
    if (method === 'GET') {
      const report = this.reports.find(({ requestIdentifier }) => requestIdentifier === id);
      return report ? { status: 200, body: report } : { status: 404, body: { errorCode: 4040020 } };
    }
    if (method !== 'PUT' || id !== '') return { status: 405 };
    const answer = this.rules.accept(body ?? {});
    if (answer.status === 200) this.reports.push(body as unknown as ExternalReport);
    return answer;
  }
}
