import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { PurchaseListDto, SubscriptionListDto } from './purchase.dto.js';
import { presentPurchase, presentSubscription } from './purchase.presenter.js';
import { ListCustomerPurchasesQuery } from './purchases.query.js';
import { PurchasesQueryService } from './purchases-query.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id')
export class PurchasesV2Controller {
  constructor(private readonly purchases: PurchasesQueryService) {}

  @Get('subscriptions')
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'listCustomerSubscriptions',
    summary: 'List subscriptions of a customer',
    description: 'The subscriptions of a customer, active and expired, newest first.',
    ok: SubscriptionListDto,
  })
  async subscriptions(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Query() query: ListCustomerPurchasesQuery,
    @Req() request: ApiRequest,
  ): Promise<SubscriptionListDto> {
    const { environment } = query;
    const { rows, view } = await this.purchases.subscriptions({
      projectId,
      appUserId,
      environment,
      page: query,
    });
    return listPage(
      request,
      query,
      rows,
      (row) => presentSubscription(row, view),
      ({ at, subscription }) => [at, subscription.id],
    );
  }

  @Get('purchases')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listCustomerPurchases',
    summary: 'List one-time purchases of a customer',
    description: 'The one-time purchases of a customer, newest first.',
    ok: PurchaseListDto,
  })
  async oneTime(
    @Param('project_id') projectId: string,
    @Param('customer_id') appUserId: string,
    @Query() query: ListCustomerPurchasesQuery,
    @Req() request: ApiRequest,
  ): Promise<PurchaseListDto> {
    const { environment } = query;
    const { rows, view } = await this.purchases.oneTime({ projectId, appUserId, environment, page: query });
    return listPage(
      request,
      query,
      rows,
      (row) => presentPurchase(row, view),
      ({ at, purchase }) => [at, purchase.id],
    );
  }
}
