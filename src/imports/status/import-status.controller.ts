import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ImportStatusDto } from './import-status.dto.js';
import { presentImportStatus } from './import-status.presenter.js';
import { ImportStatusService } from './import-status.service.js';

@ApiTags('Imports')
@Controller('v2/projects/:project_id/import/status')
export class ImportStatusController {
  constructor(private readonly status: ImportStatusService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getImportStatus',
    summary: 'Get the state of an import',
    description:
      'The number of customers and subscriptions of the project, and of those that still wait for a store. Exact up to 100,000 each; beyond that, at most a minute old.',
    ok: ImportStatusDto,
  })
  async get(@Param('project_id') projectId: string): Promise<ImportStatusDto> {
    return presentImportStatus(await this.status.forProject(projectId));
  }
}
