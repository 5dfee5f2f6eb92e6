import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import { type OwnershipChangeRow, ownershipRules } from './ownership-changes.repository.js';

export class OwnershipChangeDto {
  @ApiProperty({ enum: ['ownership_change'] })
  object: 'ownership_change';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  occurred_at: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Original app user id of the former owner at that time; null if deleted since.',
  })
  from_customer_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Original app user id of the new owner at that time; null if deleted since.',
  })
  to_customer_id: string | null;

  @ApiProperty({
    enum: ownershipRules,
    description:
      'The transfer behaviour that decided; `anonymous_owner`: the former owner had no identified id; ' +
      '`sign_in`, `alias`: the two customers were merged; `transfer_action`: requested through this API; ' +
      '`redemption`: a link to a purchase made on the web.',
  })
  rule: string;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: '`is_restore` of the posted receipt; null if there was none.',
  })
  is_restore: boolean | null;

  @ApiProperty({ type: String, description: '`X-Request-Id` of the request that caused it.' })
  request_id: string;
}

export class OwnershipChangeListDto extends listOf(OwnershipChangeDto) {}

export function presentOwnershipChange(row: OwnershipChangeRow): OwnershipChangeDto {
  return {
    object: 'ownership_change',
    id: row.id,
    occurred_at: row.occurredAt.getTime(),
    from_customer_id: row.fromAppUserId,
    to_customer_id: row.toAppUserId,
    rule: row.rule,
    is_restore: row.isRestore,
    request_id: row.requestId,
  };
}

export function placeOfOwnershipChange({ occurredAt, id }: OwnershipChangeRow): Place {
  return [occurredAt, id];
}
