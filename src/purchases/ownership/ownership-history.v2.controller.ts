import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  OwnershipChangeListDto,
  placeOfOwnershipChange,
  presentOwnershipChange,
} from './ownership-change.dto.js';
import { OwnershipService } from './ownership.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id')
export class OwnershipHistoryController {
  constructor(private readonly ownership: OwnershipService) {}

  @Get('subscriptions/:subscription_id/ownership_history')
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'listSubscriptionOwnershipHistory',
    summary: 'List owners of a subscription',
    description: 'Every change of the owner of a subscription with its cause, newest first.',
    ok: OwnershipChangeListDto,
  })
  ofSubscription(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<OwnershipChangeListDto> {
    return this.list({ request, page }, projectId, 'subscription', id);
  }

  @Get('purchases/:purchase_id/ownership_history')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listPurchaseOwnershipHistory',
    summary: 'List owners of a one-time purchase',
    description: 'Every change of the owner of a one-time purchase with its cause, newest first.',
    ok: OwnershipChangeListDto,
  })
  ofPurchase(
    @Param('project_id') projectId: string,
    @Param('purchase_id') id: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<OwnershipChangeListDto> {
    return this.list({ request, page }, projectId, 'purchase', id);
  }

  private async list(
    { request, page }: { request: ApiRequest; page: PageQuery },
    projectId: string,
    kind: 'subscription' | 'purchase',
    purchaseId: string,
  ): Promise<OwnershipChangeListDto> {
    const rows = await this.ownership.changesOf(projectId, kind, purchaseId, page);
    return listPage(request, page, rows, presentOwnershipChange, placeOfOwnershipChange);
  }
}
