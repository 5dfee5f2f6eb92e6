import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CSV, csvLine, sendCsv } from '../../platform/http/lists/csv.js';
import { ExternalPurchaseReportsCsvQuery, monthBounds } from './external-purchase-report.dto.js';
import type { ReportFilter } from './external-purchase-reports.repository.js';
import { ExternalPurchaseReportsService } from './external-purchase-reports.service.js';
import { REPORT_COLUMNS, reportLines } from './report-lines.js';

@ApiTags('Outside purchases')
@Controller('v2/projects/:project_id/external_purchase_reports.csv')
export class ExternalPurchaseReportsCsvController {
  constructor(private readonly reports: ExternalPurchaseReportsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'downloadExternalPurchaseReports',
    summary: 'Download the reports of a month',
    description:
      'The lines of all reports about outside purchases that were created in a month, newest first. Refunds are negative; a correction repeats the whole line.',
    ok: {
      content: {
        [CSV]: { schema: { type: 'string' }, example: 'report_id,store,app_id,environment,token_id\r\n' },
      },
    },
  })
  async download(
    @Param('project_id') projectId: string,
    @Query() { month, store }: ExternalPurchaseReportsCsvQuery,
    @Res() response: Response,
  ): Promise<void> {
    const filter = { state: null, appId: null, store, ...monthBounds(month) };
    await sendCsv(response, `store_reports_${month}.csv`, this.lines(projectId, filter));
  }

  private async *lines(projectId: string, filter: ReportFilter): AsyncGenerator<string> {
    yield csvLine(REPORT_COLUMNS);
    for await (const batch of this.reports.batches(projectId, filter)) {
      for (const report of batch) yield* reportLines(report);
    }
  }
}
