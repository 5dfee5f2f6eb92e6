import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { listPage } from '../../platform/http/lists/lists.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { OrganizationAccess } from './organization-access.js';
import {
  ListOrganizationAuditLogsQuery,
  OrganizationAuditLogListDto,
  presentOrganizationAuditLog,
} from './organization-audit-log.dto.js';
import { OrganizationAuditLogService } from './organization-audit-log.service.js';

@ApiTags('Organizations')
@Controller('v2/organizations/:org_id/audit_logs')
export class OrganizationAuditLogsController {
  constructor(private readonly auditLog: OrganizationAuditLogService) {}

  @Get()
  @OrganizationAccess('admin', 'organizations')
  @V2Route({
    operationId: 'listOrganizationAuditLogs',
    summary: 'List changes of an organization',
    description: 'Who changed what in the organization, and who signed in through it, newest first.',
    ok: OrganizationAuditLogListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() query: ListOrganizationAuditLogsQuery,
    @Req() request: ApiRequest,
  ): Promise<OrganizationAuditLogListDto> {
    const rows = await this.auditLog.page(orgId, query.range, query);
    return listPage(request, query, rows, presentOrganizationAuditLog, ({ occurredAt, id }) => [
      occurredAt,
      id,
    ]);
  }
}
