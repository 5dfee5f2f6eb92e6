import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../auth/access.js';
import { startOf } from '../http/list-place.js';
import { listPage, pageRequest } from '../http/lists.js';
import { dayQuery, PageQuery } from '../http/query-parameters.js';
import type { ApiRequest } from '../http/request.js';
import { AuditLogListDto, presentAuditLog } from './audit-log.dto.js';
import { AuditLogsRepository } from './audit-logs.repository.js';

const DAY_MS = 86_400_000;

@ApiTags('Audit log')
@Controller('v2/projects/:project_id/audit_logs')
export class AuditLogsController {
  constructor(private readonly logs: AuditLogsRepository) {}

  @Get()
  @RequirePermission('project_configuration:audit_logs:read')
  @ApiOperation({ operationId: 'listAuditLogs', summary: 'Who changed what in the project, newest first' })
  @ApiQuery({ name: 'start_date', required: false, type: String, description: 'First UTC day, YYYY-MM-DD.' })
  @ApiQuery({ name: 'end_date', required: false, type: String, description: 'Last UTC day, YYYY-MM-DD.' })
  @PageQuery()
  @ApiOkResponse({ type: AuditLogListDto })
  async list(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<AuditLogListDto> {
    const page = pageRequest(request);
    const from = dayQuery(request, 'start_date');
    const lastDay = dayQuery(request, 'end_date');
    const range = { from, to: lastDay && new Date(lastDay.getTime() + DAY_MS) };
    const after = await startOf(page.after, ['time'], (id) => this.logs.placeOf(projectId, id, range));
    const rows = await this.logs.page(projectId, range, page, after);
    return listPage(request, page, rows, presentAuditLog, ({ occurredAt, id }) => [occurredAt, id]);
  }
}
