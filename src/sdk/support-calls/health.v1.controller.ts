import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous, SdkAccess } from '../../platform/auth/access.js';
import { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { FixedAnswer } from './fixed-answer.js';
import { HealthReportDto, sendHealthReport } from './health-report.js';

const HEALTHY = { status: 'ok' };
const NO_LOGS = { report_logs: false };

/** Health checks of the SDKs. Those without a credential are called before an app is configured. */
@ApiTags('SDK')
@Controller('v1')
export class HealthV1Controller {
  constructor(private readonly catalog: SdkCatalogService) {}

  @Get('health')
  @Anonymous()
  @ApiOperation({
    operationId: 'getHealth',
    summary: 'Check the health of the server',
    description: 'The health check of the SDKs. Answers 200 while the process runs.',
  })
  @FixedAnswer(HEALTHY)
  health(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(HEALTHY));
  }

  @Get('health/connectivity')
  @Anonymous()
  @ApiOperation({
    operationId: 'getConnectivity',
    summary: 'Check the connection',
    description:
      'The connectivity check of the iOS SDK: it distinguishes an unreachable server from an offline device.',
  })
  @FixedAnswer(HEALTHY)
  connectivity(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(HEALTHY));
  }

  @Get('subscribers/:app_user_id/health_report_availability')
  @Anonymous()
  @ApiOperation({
    operationId: 'getHealthReportAvailability',
    summary: 'Get whether to ask for health reports',
    description: 'Whether debug builds of the SDK should ask for a health report when the app starts.',
  })
  @FixedAnswer(NO_LOGS)
  reportAvailability(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(NO_LOGS));
  }

  @Get('subscribers/:app_user_id/health_report')
  @SdkAccess('project_configuration:apps:read')
  @ApiOperation({
    operationId: 'getHealthReport',
    summary: 'Get a health report of an app',
    description: 'The configuration of the calling app, for the health report of debug builds.',
  })
  @ApiOkResponse({ type: HealthReportDto })
  async report(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    await sendHealthReport(this.catalog, request, response);
  }
}
