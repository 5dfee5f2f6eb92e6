import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../auth/access.js';
import { ApiError } from '../http/api-error.js';
import { listOf } from '../http/list.dto.js';
import { listPage, pageRequest, unknownCursor } from '../http/lists.js';
import { PageQuery } from '../http/page-query.js';
import type { ApiRequest } from '../http/request.js';
import {
  type OwnershipChangeRow,
  OwnershipChangesRepository,
  ownershipRules,
} from './ownership-changes.repository.js';

class OwnershipChangeDto {
  @ApiProperty({ enum: ['ownership_change'] })
  object: 'ownership_change';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  occurred_at: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Original app user id of the former owner at that time; null when deleted since.',
  })
  from_customer_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Original app user id of the new owner at that time; null when deleted since.',
  })
  to_customer_id: string | null;

  @ApiProperty({
    enum: ownershipRules,
    description:
      'The transfer behaviour that decided; `anonymous_owner`: the former owner had no identified id; ' +
      '`sign_in`, `alias`: the two customers became one; `transfer_action`: asked for through this API.',
  })
  rule: string;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: '`is_restore` of the receipt that was posted; null when none was.',
  })
  is_restore: boolean | null;

  @ApiProperty({ type: String, description: '`X-Request-Id` of the request that caused it.' })
  request_id: string;
}

class OwnershipChangeListDto extends listOf(OwnershipChangeDto) {}

function present(row: OwnershipChangeRow): OwnershipChangeDto {
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

@ApiTags('Customers')
@Controller('v2/projects/:project_id')
export class OwnershipHistoryController {
  constructor(@Inject(OwnershipChangesRepository) private readonly changes: OwnershipChangesRepository) {}

  @Get('subscriptions/:subscription_id/ownership_history')
  @RequirePermission('customer_information:subscriptions:read')
  @ApiOperation({
    operationId: 'listSubscriptionOwnershipHistory',
    summary: 'Changes of the owner of a subscription and their causes, newest first',
  })
  @PageQuery()
  @ApiOkResponse({ type: OwnershipChangeListDto })
  ofSubscription(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
    @Req() request: ApiRequest,
  ): Promise<OwnershipChangeListDto> {
    return this.list(request, projectId, 'subscription', id);
  }

  @Get('purchases/:purchase_id/ownership_history')
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'listPurchaseOwnershipHistory',
    summary: 'Changes of the owner of a one-time purchase and their causes, newest first',
  })
  @PageQuery()
  @ApiOkResponse({ type: OwnershipChangeListDto })
  ofPurchase(
    @Param('project_id') projectId: string,
    @Param('purchase_id') id: string,
    @Req() request: ApiRequest,
  ): Promise<OwnershipChangeListDto> {
    return this.list(request, projectId, 'purchase', id);
  }

  private async list(
    request: ApiRequest,
    projectId: string,
    kind: 'subscription' | 'purchase',
    purchaseId: string,
  ): Promise<OwnershipChangeListDto> {
    const page = pageRequest(request);
    if (!(await this.changes.hasPurchase(projectId, kind, purchaseId)))
      throw ApiError.missing(kind, purchaseId);
    if (page.after !== null && !(await this.changes.exists(projectId, purchaseId, page.after))) {
      throw unknownCursor(page.after);
    }
    const rows = await this.changes.page(projectId, purchaseId, page);
    return listPage(request, page, rows, present, ({ id }) => id);
  }
}
