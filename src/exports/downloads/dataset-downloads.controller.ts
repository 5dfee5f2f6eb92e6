import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { completeList } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { datasets, findDataset } from '../datasets/datasets.js';
import { exportPermissions } from '../export-permissions.js';
import { presentDataset } from './dataset.presenter.js';
import { DatasetDownloadsService } from './dataset-downloads.service.js';
import { DownloadQuery, ExportDatasetListDto } from './download.dto.js';
import { sendPaced } from './paced-response.js';

const binary = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('Exports')
@Controller('v2/projects/:project_id/integrations/exports')
export class DatasetDownloadsController {
  constructor(private readonly downloads: DatasetDownloadsService) {}

  @Get('datasets')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listExportDatasets',
    summary: 'List data sets',
    description:
      'The data sets of exports and downloads, with their columns. In one version, columns never change.',
    ok: ExportDatasetListDto,
  })
  list(@Req() request: ApiRequest): ExportDatasetListDto {
    return completeList(request, datasets.map(presentDataset));
  }

  /** A read, but of personal data, so it is audited like a write. */
  @Get('download')
  @V2Route({
    permission: exportPermissions,
    operationId: 'downloadExportDataset',
    summary: 'Download a data set',
    description:
      'One data set of the project, as of the start of the download. The download is recorded in the audit log. An incomplete answer ends without its last chunk.',
    ok: { content: { 'application/gzip': binary, 'application/vnd.apache.parquet': binary } },
    errors: {
      503: 'Two downloads are running, or the data of the project is being prepared for the first time.',
    },
  })
  async download(
    @CurrentWrite() write: ProjectWrite,
    @Query() query: DownloadQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { format, environment, updated_after: updatedAfter, spreadsheet_safe: isSpreadsheetSafe } = query;
    const dataset = findDataset(query.dataset, query.version);
    if (!dataset) throw ApiError.parameter('version', `${query.dataset} has no version ${query.version}.`);
    const request = { dataset, format, environment, updatedAfter, isSpreadsheetSafe };
    await this.downloads.run(write, request, async ({ name, mediaType, bytes }) => {
      response.setHeader('Content-Type', mediaType);
      response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
      response.setHeader('Cache-Control', 'no-store, no-transform');
      await sendPaced(response, bytes);
    });
  }
}
