import { ApiProperty } from '@nestjs/swagger';
import type { Response } from 'express';
import type { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';

export class HealthReportDto {
  @ApiProperty({ enum: ['passed'] })
  status: 'passed';

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: 'array', maxItems: 0, items: { type: 'object' } })
  checks: object[];
}

/** Sends the report of the calling app. */
export async function sendHealthReport(
  sdkCatalog: SdkCatalogService,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  const { catalog, app } = await sdkCatalog.caller(sdkClientOf(request));
  const report: HealthReportDto = {
    status: 'passed',
    project_id: catalog.projectId,
    app_id: app.id,
    checks: [],
  };
  sendSdkJson(response, 200, JSON.stringify(report));
}
