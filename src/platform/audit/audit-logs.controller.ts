import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../auth/access.js';
import { listPage } from '../http/lists.js';
import type { ApiRequest } from '../http/request.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogListDto, ListAuditLogsQuery, presentAuditLog } from './audit-log.dto.js';

const DAY_MS = 86_400_000;

@ApiTags('Audit log')
@Controller('v2/projects/:project_id/audit_logs')
export class AuditLogsController {
  constructor(private readonly auditLog: AuditLogService) {}

  @Get()
  @RequirePermission('project_configuration:audit_logs:read')
  @ApiOperation({
    operationId: 'listAuditLogs',
    summary: 'List changes of the project',
    description: 'Who changed what in the project, newest first. Filters can be combined.',
  })
  @ApiOkResponse({ type: AuditLogListDto })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListAuditLogsQuery,
    @Req() request: ApiRequest,
  ): Promise<AuditLogListDto> {
    const { start_date: from, end_date: lastDay } = query;
    const filter = {
      from,
      to: lastDay && new Date(lastDay.getTime() + DAY_MS),
      actionType: query.action_type,
      targetIdentifier: query.target_identifier,
      customerId: query.customer_id,
      actorIdentifier: query.actor_identifier,
    };
    const rows = await this.auditLog.page(projectId, filter, query);
    return listPage(request, query, rows, presentAuditLog, ({ occurredAt, id }) => [occurredAt, id]);
  }
}
