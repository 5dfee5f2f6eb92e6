import { ApiProperty } from '@nestjs/swagger';
import { microsToMajor } from '../../../libs/money/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import {
  ChoiceParameter,
  QueryParameter,
  singleValue,
  TextParameter,
} from '../../platform/http/lists/query-parameters.js';
import { reportStates, reportStores } from './external-purchase-report.entity.js';
import type { ReportRow } from './external-purchase-reports.repository.js';
import type { MonthSums } from './report-months.repository.js';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

function MonthParameter(options: { required?: boolean } = {}): PropertyDecorator {
  const description = 'Only reports created in this month (UTC).';
  return QueryParameter({ type: String, description, example: '2026-11', ...options }, (query, name) => {
    const value = singleValue(query, name);
    if (value === null ? options.required !== true : MONTH.test(value)) return value;
    throw ApiError.parameter(name, `${name} must be a month such as 2026-11.`);
  });
}

export class ListExternalPurchaseReportsQuery extends PageQuery {
  @ChoiceParameter(reportStates, { description: 'Default: all states.' })
  state: ReportRow['state'] | null;

  @TextParameter({ max: 255, description: 'Only reports of this app.' })
  app_id: string | null;

  @MonthParameter()
  month: string | null;
}

export class ExternalPurchaseReportsCsvQuery {
  @MonthParameter({ required: true })
  month: string;

  @ChoiceParameter(reportStores, { description: 'Default: all stores.' })
  store: ReportRow['store'] | null;
}

class ReportLineDto {
  @ApiProperty({ type: String, description: 'Id of the line at the store. A restatement repeats it.' })
  id: string;

  @ApiProperty({ enum: ['start', 'renewal', 'change', 'payment', 'one_time', 'refund'] })
  event: string;

  @ApiProperty({ type: String })
  product_identifier: string;

  @ApiProperty({ type: Number, nullable: true, description: 'With tax. Null if unknown.', example: 12.1 })
  amount: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Tax within the amount. Null if unknown.',
    example: 2.1,
  })
  tax: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'EUR' })
  currency: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166 alpha-2.' })
  tax_country: string | null;

  @ApiProperty({ type: 'integer', description: 'Time of the charge or refund, epoch milliseconds.' })
  at: number;
}

export class ExternalPurchaseReportDto {
  @ApiProperty({ enum: ['external_purchase_report'] })
  object: 'external_purchase_report';

  @ApiProperty({ type: String, example: 'oprt0mjwaidk3x9q2f7t' })
  id: string;

  @ApiProperty({ type: String, nullable: true, description: 'The token that the purchase is bound to.' })
  token_id: string | null;

  @ApiProperty({ type: String, description: 'The app of the token.' })
  app_id: string;

  @ApiProperty({ enum: reportStores })
  store: ReportRow['store'];

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: ReportRow['environment'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the subscription or purchase at its store; null for a report about a token.',
  })
  store_purchase_identifier: string | null;

  @ApiProperty({
    enum: [
      'start',
      'renewal',
      'change',
      'payment',
      'one_time',
      'refund',
      'refund_reversal',
      'restatement',
      'token',
    ],
    description: '`token`: about a token without a purchase.',
  })
  event: ReportRow['event'];

  @ApiProperty({
    enum: reportStates,
    description: '`manual`: the store has no call for it, so a person must report it.',
  })
  state: ReportRow['state'];

  @ApiProperty({ type: String, nullable: true, description: 'Explains states other than `due` and `sent`.' })
  reason: string | null;

  @ApiProperty({ type: [ReportLineDto] })
  lines: ReportLineDto[];

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  sent_at: number | null;
}

export class ExternalPurchaseReportDetailsDto extends ExternalPurchaseReportDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'What is sent to the store. Null until everything is known.',
  })
  body: Record<string, unknown> | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the store refused it.' })
  store_answer: string | null;
}

export class ExternalPurchaseReportListDto extends listOf(ExternalPurchaseReportDto) {}

export class ExternalPurchaseMonthDto {
  @ApiProperty({ enum: ['external_purchase_month'] })
  object: 'external_purchase_month';

  @ApiProperty({ type: String, description: 'Month of the charges and refunds (UTC).', example: '2026-11' })
  month: string;

  @ApiProperty({ enum: reportStores })
  store: ReportRow['store'];

  @ApiProperty({ type: String, description: 'Currency of the purchases.', example: 'EUR' })
  currency: string;

  @ApiProperty({ type: Number, description: 'Accepted by the store: charges minus refunds, with tax.' })
  reported: number;

  @ApiProperty({ type: Number, description: 'Charges minus refunds of purchases that are bound to a token.' })
  in_ledger: number;

  @ApiProperty({
    type: Number,
    description: '`in_ledger` minus `reported`. Not 0 while reports wait, or were refused.',
  })
  difference: number;
}

export class ExternalPurchaseMonthListDto extends listOf(ExternalPurchaseMonthDto) {}

const major = (micros: number | null): number | null => (micros === null ? null : microsToMajor(micros));

export function presentReport(report: ReportRow): ExternalPurchaseReportDto {
  return {
    object: 'external_purchase_report',
    id: report.id,
    token_id: report.tokenId,
    app_id: report.appId,
    store: report.store,
    environment: report.environment,
    store_purchase_identifier: report.event === 'token' ? null : report.purchaseKey,
    event: report.event,
    state: report.state,
    reason: report.state === 'refused' ? report.storeAnswer : report.reason,
    lines: report.items.map((line) => ({
      id: line.lineItemId,
      event: line.event,
      product_identifier: line.productId,
      amount: major(line.amountMicros),
      tax: major(line.taxMicros),
      currency: line.currency,
      tax_country: line.country,
      at: line.atMs,
    })),
    created_at: report.createdAt.getTime(),
    sent_at: report.sentAt?.getTime() ?? null,
  };
}

export function presentReportDetails(report: ReportRow): ExternalPurchaseReportDetailsDto {
  return {
    ...presentReport(report),
    body: report.body as Record<string, unknown> | null,
    store_answer: report.storeAnswer,
  };
}

export function presentMonth({
  reportedMicros,
  ledgerMicros,
  ...month
}: MonthSums): ExternalPurchaseMonthDto {
  return {
    object: 'external_purchase_month',
    ...month,
    reported: microsToMajor(reportedMicros),
    in_ledger: microsToMajor(ledgerMicros),
    difference: microsToMajor(ledgerMicros - reportedMicros),
  };
}

/** Start and end of a month (`2026-11`). */
export function monthBounds(month: string | null): { from: Date | null; until: Date | null } {
  if (month === null) return { from: null, until: null };
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { from: new Date(Date.UTC(year, number - 1, 1)), until: new Date(Date.UTC(year, number, 1)) };
}
