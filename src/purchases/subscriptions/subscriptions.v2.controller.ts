import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequirePermissionInScope } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage, pageOfAll } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { subscriptionEntitlements } from '../../customers/customers/customer-info/customer-purchases.js';
import { SubscriptionDto, SubscriptionListDto, UnlockedEntitlementListDto } from '../lookups/purchase.dto.js';
import { presentSubscription, presentUnlocked } from '../lookups/purchase.presenter.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';
import { ManagementUrlDto, SubscriptionTransactionListDto } from './subscription-transaction.dto.js';
import { presentSubscriptionTransaction } from './subscription-transaction.presenter.js';
import { placeOfTransaction } from './subscription-transactions.repository.js';
import { ListSubscriptionTransactionsQuery, SearchSubscriptionsQuery } from './subscriptions.query.js';
import { SubscriptionsService } from './subscriptions.service.js';

@ApiTags('Subscriptions')
@Controller('v2/projects/:project_id/subscriptions')
export class SubscriptionsV2Controller {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'searchSubscriptions',
    summary: 'Find subscriptions',
    description:
      'The subscriptions with a given store identifier: any transaction id, original transaction id, order id or token they ever had.',
    ok: SubscriptionListDto,
  })
  async search(
    @Param('project_id') projectId: string,
    @Query() query: SearchSubscriptionsQuery,
    @Req() request: ApiRequest,
  ): Promise<SubscriptionListDto> {
    const { store_subscription_identifier: identifier } = query;
    const rows = await this.lookups.subscriptionsNamed(projectId, identifier, query);
    return listPage(
      request,
      query,
      rows,
      ({ owned, view }) => presentSubscription(owned, view),
      ({ at, owned }) => [at, owned.subscription.id],
    );
  }

  @Get(':subscription_id')
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'getSubscription',
    summary: 'Get a subscription',
    description: 'A subscription with its status, period, price and owner.',
    ok: SubscriptionDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
  ): Promise<SubscriptionDto> {
    const { owned, view } = await this.lookups.subscription(projectId, id);
    return presentSubscription(owned, view);
  }

  @Get(':subscription_id/entitlements')
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'listSubscriptionEntitlements',
    summary: 'List entitlements of a subscription',
    description: 'The entitlements that the product of a subscription unlocks.',
    ok: UnlockedEntitlementListDto,
  })
  async entitlements(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<UnlockedEntitlementListDto> {
    const { owned, view } = await this.lookups.subscription(projectId, id);
    const rows = pageOfAll(subscriptionEntitlements(view.catalog, owned), page, (row) => row.id);
    return listPage(
      request,
      page,
      rows,
      (row) => presentUnlocked(projectId, row),
      (row) => [row.id],
    );
  }

  @Get(':subscription_id/transactions')
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'listSubscriptionTransactions',
    summary: 'List payments of a subscription',
    description: 'The payments of a subscription: the purchase, the start of a trial, renewals.',
    ok: SubscriptionTransactionListDto,
  })
  async transactions(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
    @Query() query: ListSubscriptionTransactionsQuery,
    @Req() request: ApiRequest,
  ): Promise<SubscriptionTransactionListDto> {
    const { owned, rows } = await this.subscriptions.transactions(projectId, id, query, query);
    return listPage(
      request,
      query,
      rows,
      (row) => ({
        ...presentSubscriptionTransaction(row, owned.subscription.facts),
        ...(query.currency && { amount_in_currency: this.subscriptions.amountIn(query.currency, row) }),
      }),
      (row) => placeOfTransaction(query, row),
    );
  }

  @Get(':subscription_id/authenticated_management_url')
  // Anyone with the page's address can cancel the subscription.
  @RequirePermissionInScope('customer_information:subscriptions:read', 'project:money')
  @V2Route({
    operationId: 'getSubscriptionManagementUrl',
    summary: 'Get the page to manage a subscription',
    description:
      'The store page where the customer manages the subscription. For Paddle, a new signed-in page of the customer portal.',
    ok: ManagementUrlDto,
    errors: { 422: 'The store has no such page.', 503: 'The store does not answer.' },
  })
  async managementUrl(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
  ): Promise<ManagementUrlDto> {
    const url = await this.subscriptions.managementUrl(projectId, id);
    return { object: 'authenticated_management_url', management_url: url };
  }
}
