import { Controller, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { completeList, listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  ExternalPurchaseMonthListDto,
  ExternalPurchaseReportDetailsDto,
  ExternalPurchaseReportListDto,
  ListExternalPurchaseReportsQuery,
  monthBounds,
  presentMonth,
  presentReport,
  presentReportDetails,
} from './external-purchase-report.dto.js';
import { ExternalPurchaseReportsService } from './external-purchase-reports.service.js';

@ApiTags('Outside purchases')
@Controller('v2/projects/:project_id/external_purchase_reports')
export class ExternalPurchaseReportsController {
  constructor(
    private readonly reports: ExternalPurchaseReportsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listExternalPurchaseReports',
    summary: 'List reports about outside purchases',
    description: 'The reports to app stores about purchases outside them, newest first.',
    ok: ExternalPurchaseReportListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListExternalPurchaseReportsQuery,
    @Req() request: ApiRequest,
  ): Promise<ExternalPurchaseReportListDto> {
    const { state, app_id: appId, month } = query;
    const rows = await this.reports.page(projectId, { state, appId, ...monthBounds(month) }, query);
    return listPage(request, query, rows, presentReport, placeByCreation);
  }

  @Get('months')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listExternalPurchaseMonths',
    summary: 'Compare reports with the ledger by month',
    description:
      'What the app stores have accepted in each of the last 24 months, and what the ledger has for the same purchases, in production. Purchases of deleted customers are left out.',
    ok: ExternalPurchaseMonthListDto,
  })
  async months(
    @Param('project_id') projectId: string,
    @Req() request: ApiRequest,
  ): Promise<ExternalPurchaseMonthListDto> {
    return completeList(
      request,
      (await this.reports.months(projectId, this.clock.nowMs())).map(presentMonth),
    );
  }

  @Get(':report_id')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'getExternalPurchaseReport',
    summary: 'Get a report about an outside purchase',
    description: 'One report, with the body that is sent to the app store and its answer.',
    ok: ExternalPurchaseReportDetailsDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('report_id') id: string,
  ): Promise<ExternalPurchaseReportDetailsDto> {
    return presentReportDetails(await this.reports.get(projectId, id));
  }

  @Post(':report_id/actions/send_again')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'sendExternalPurchaseReportAgain',
    summary: 'Send a refused report again',
    description:
      'Sends a report that its store refused again, with the same identifiers. Later reports follow.',
    ok: ExternalPurchaseReportDetailsDto,
    errors: { 409: 'The store has not refused the report.' },
  })
  async sendAgain(
    @CurrentWrite() write: ProjectWrite,
    @Param('report_id') id: string,
  ): Promise<ExternalPurchaseReportDetailsDto> {
    return presentReportDetails(await this.reports.sendAgain(write, id));
  }
}
