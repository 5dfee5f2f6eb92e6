import { ApiProperty } from '@nestjs/swagger';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { TimeParameter } from '../../platform/http/lists/query-parameters.js';
import { organizationAuditActions } from './organization-audit-actions.js';
import type { OrganizationAuditLogRow } from './organization-audit-log.entity.js';

export class OrganizationActorDto {
  @ApiProperty({ enum: ['user', 'scim', 'sso', 'system'] })
  type: OrganizationAuditLogRow['actorType'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the person, the token or the connection.',
  })
  id: string | null;

  @ApiProperty({ type: String, nullable: true })
  email: string | null;
}

export class OrganizationAuditTargetDto {
  @ApiProperty({ type: String, example: 'member' })
  type: string;

  @ApiProperty({ type: String })
  id: string;
}

export class OrganizationAuditLogDto {
  @ApiProperty({ enum: ['organization_audit_log'] })
  object: 'organization_audit_log';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, enum: organizationAuditActions, enumName: 'OrganizationAuditAction' })
  action: string;

  @ApiProperty({ type: OrganizationActorDto })
  actor: OrganizationActorDto;

  @ApiProperty({ type: OrganizationAuditTargetDto })
  target: OrganizationAuditTargetDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Details, never secrets. `changes` has the old and the new value of each changed field, or `changed` where a value ' +
      'is not recorded because it may be secret or is too long. URLs have no user info and no query.',
    example: { changes: { role: ['member', 'admin'] } },
  })
  data: Record<string, unknown>;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  occurred_at: number;
}

export class OrganizationAuditLogListDto extends listOf(OrganizationAuditLogDto) {}

export function presentOrganizationAuditLog(row: OrganizationAuditLogRow): OrganizationAuditLogDto {
  return {
    object: 'organization_audit_log',
    id: row.id,
    action: row.action,
    actor: { type: row.actorType, id: row.actorId, email: row.actorEmail },
    target: { type: row.targetType, id: row.targetId },
    data: row.data,
    occurred_at: row.occurredAt.getTime(),
  };
}

export class ListOrganizationAuditLogsQuery extends PageQuery {
  @TimeParameter({ description: 'Start of the range (inclusive), epoch milliseconds.' })
  start_time: Date | null;

  @TimeParameter({ description: 'End of the range (exclusive), epoch milliseconds.' })
  end_time: Date | null;

  /** @throws ApiError 400 */
  get range(): { from: Date | null; to: Date | null } {
    const { start_time: from, end_time: to } = this;
    if (from !== null && to !== null && to <= from)
      throw ApiError.parameter('end_time', 'end_time must be after start_time.');
    return { from, to };
  }
}
