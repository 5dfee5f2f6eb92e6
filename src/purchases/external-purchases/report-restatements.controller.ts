import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { LineChange } from '../../../libs/external-reports/index.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { NumberField, StringField } from '../../platform/http/bodies/fields.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  ExternalPurchaseReportDetailsDto,
  presentReportDetails,
} from '../external-reports/external-purchase-report.dto.js';
import { ReportRestatementsService } from './report-restatements.service.js';

const MAX_AMOUNT = 1_000_000_000;
const MICROS = 1_000_000;

@BodyExample({ tax: 2.1 })
class RestateReportDto {
  @NumberField({
    min: 0,
    max: MAX_AMOUNT,
    optional: true,
    description: "With tax, in the purchase's currency.",
  })
  amount?: number;

  @NumberField({ min: 0, max: MAX_AMOUNT, optional: true, description: 'The tax within the amount.' })
  tax?: number;

  @StringField({
    min: 2,
    max: 2,
    pattern: /^[A-Z]{2}$/,
    patternText: 'must be two capital letters',
    optional: true,
    description: 'ISO 3166 alpha-2.',
  })
  tax_country?: string;

  @StringField({
    min: 1,
    max: 100,
    optional: true,
    description: 'State of the billing address. Google requires it in India.',
    example: 'Karnataka',
  })
  tax_region?: string;
}

const micros = (amount: number): number => Math.round(amount * MICROS);

/** @throws ApiError 400 unless it changes something */
function changeIn({ amount, tax, tax_country: country, tax_region: region }: RestateReportDto): LineChange {
  if ([amount, tax, country, region].every((value) => value === undefined)) {
    throw ApiError.parameter('tax', 'At least one of amount, tax, tax_country and tax_region is required.');
  }
  if (amount !== undefined && tax !== undefined && tax > amount) {
    throw ApiError.parameter('tax', 'tax must not exceed amount.');
  }
  return {
    ...(amount !== undefined && { amountMicros: micros(amount) }),
    ...(tax !== undefined && { taxMicros: micros(tax) }),
    ...(country !== undefined && { country }),
    ...(region !== undefined && { region }),
  };
}

@ApiTags('Outside purchases')
@Controller('v2/projects/:project_id/external_purchase_reports/:report_id/actions/restate')
export class ReportRestatementsController {
  constructor(private readonly restatements: ReportRestatementsService) {}

  @Post()
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'restateExternalPurchaseReport',
    summary: 'Correct a report about an outside purchase',
    description:
      'Changes the amount, tax, tax country or state. A report that its store has accepted is corrected by another report, which is returned.',
    ok: ExternalPurchaseReportDetailsDto,
    errors: {
      409: 'Nothing changes, or the report has no line.',
      422: 'Google has accepted the report, and accepts no corrections.',
    },
  })
  async restate(
    @CurrentWrite() write: ProjectWrite,
    @Param('report_id') id: string,
    @Body() body: RestateReportDto,
  ): Promise<ExternalPurchaseReportDetailsDto> {
    return presentReportDetails(await this.restatements.restate(write, id, changeIn(body)));
  }
}
