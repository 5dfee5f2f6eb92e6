import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { listPage } from '../http/lists/lists.js';
import type { ApiRequest } from '../http/pipeline/request.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogDto, AuditLogListDto, ListAuditLogsQuery, presentAuditLog } from './audit-log.dto.js';
import { V2Route } from '../auth/v2-route.js';

const DAY_MS = 86_400_000;

@ApiTags('Audit log')
@Controller('v2/projects/:project_id/audit_logs')
export class AuditLogsController {
  constructor(private readonly auditLog: AuditLogService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:audit_logs:read',
    operationId: 'listAuditLogs',
    summary: 'List changes of the project',
    description: 'Who changed what in the project, newest first. Filters can be combined.',
    ok: AuditLogListDto,
  })
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

  @Get(':audit_log_id')
  @V2Route({
    permission: 'project_configuration:audit_logs:read',
    operationId: 'getAuditLog',
    summary: 'Get a change of the project',
    description: 'One entry of the audit log, as in the list.',
    ok: AuditLogDto,
  })
  async get(@Param('project_id') projectId: string, @Param('audit_log_id') id: string): Promise<AuditLogDto> {
    return presentAuditLog(await this.auditLog.get(projectId, id));
  }
}
