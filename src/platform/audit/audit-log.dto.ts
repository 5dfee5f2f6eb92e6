import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../http/lists/list.dto.js';
import { auditActionTypes } from './audit-actions.js';
import type { AuditLogRow } from './audit-log.entity.js';
import { PageQuery } from '../http/lists/page-query.js';
import { ChoiceParameter, DayParameter, TextParameter } from '../http/lists/query-parameters.js';

/** The longest app user id fits. */
const MAX_TEXT = 1500;

export class AuditLogDto {
  @ApiProperty({ enum: ['audit_log'] })
  object: 'audit_log';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String, example: 'entitlement_created' })
  action_type: string;

  @ApiProperty({ type: String, example: 'entitlement' })
  target_type: string;

  @ApiProperty({ type: String, description: 'Id of the object.' })
  target_identifier: string;

  @ApiProperty({ enum: ['user', 'system', 'api_key', 'oauth_client', 'scim'] })
  actor_type: AuditLogRow['actorType'];

  @ApiProperty({ type: String, description: 'Email of a person, id of a key, or `system`.' })
  actor_identifier: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  occurred_at: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Method and status of the request, and ids involved. `changed_fields` names the changed fields; `changes` has the ' +
      'old and new value of those that cannot hold a secret, by the same names. URLs are without user info and query, ' +
      'times in epoch milliseconds, long values cut. Never bodies, never secrets.',
    example: {
      method: 'POST',
      status: 200,
      changed_fields: ['display_name'],
      changes: { display_name: { old: 'Monthly', new: 'Monthly plan' } },
    },
  })
  additional_data: Record<string, unknown>;
}

export class AuditLogListDto extends listOf(AuditLogDto) {}

export function presentAuditLog(row: AuditLogRow): AuditLogDto {
  return {
    object: 'audit_log',
    id: row.id,
    project_id: row.projectId,
    action_type: row.actionType,
    target_type: row.targetType,
    target_identifier: row.targetIdentifier,
    actor_type: row.actorType,
    actor_identifier: row.actorIdentifier,
    occurred_at: row.occurredAt.getTime(),
    additional_data: row.additionalData,
  };
}

export class ListAuditLogsQuery extends PageQuery {
  @DayParameter({ description: 'First UTC day, YYYY-MM-DD.' })
  start_date: Date | null;

  @DayParameter({ description: 'Last UTC day, YYYY-MM-DD.' })
  end_date: Date | null;

  @ChoiceParameter(auditActionTypes, { description: 'Only changes of this kind.' })
  action_type: string | null;

  @TextParameter({
    max: MAX_TEXT,
    description: 'Only changes of this object.',
  })
  target_identifier: string | null;

  @TextParameter({
    max: MAX_TEXT,
    description:
      'Only changes of this customer, blocking included. Use the original app user id. A refund is a change of the purchase.',
  })
  customer_id: string | null;

  @TextParameter({
    max: MAX_TEXT,
    description: 'Only changes by this actor: an email address, or the id of a key.',
  })
  actor_identifier: string | null;
}
