import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { listPage, pageOfAll } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { oneTimeEntitlements } from '../../customers/customers/customer-purchases.js';
import { PurchaseDto, PurchaseListDto, UnlockedEntitlementListDto } from './purchase.dto.js';
import { presentPurchase, presentUnlocked } from './purchase.presenter.js';
import { SearchPurchasesQuery } from './purchases.query.js';
import { PurchaseLookupsService } from './purchase-lookups.service.js';

@ApiTags('Purchases')
@Controller('v2/projects/:project_id/purchases')
export class OneTimePurchasesV2Controller {
  constructor(private readonly lookups: PurchaseLookupsService) {}

  @Get()
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'searchPurchases',
    summary: 'Find one-time purchases',
    description:
      'The one-time purchases with a given store identifier: a transaction id, an order id or a token.',
  })
  @ApiOkResponse({ type: PurchaseListDto })
  async search(
    @Param('project_id') projectId: string,
    @Query() query: SearchPurchasesQuery,
    @Req() request: ApiRequest,
  ): Promise<PurchaseListDto> {
    const rows = await this.lookups.oneTimeNamed(projectId, query.store_purchase_identifier, query);
    return listPage(
      request,
      query,
      rows,
      ({ owned, view }) => presentPurchase(owned, view),
      ({ at, owned }) => [at, owned.purchase.id],
    );
  }

  @Get(':purchase_id')
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'getPurchase',
    summary: 'Get a one-time purchase',
    description: 'A one-time purchase with its price, store and owner.',
  })
  @ApiOkResponse({ type: PurchaseDto })
  async get(@Param('project_id') projectId: string, @Param('purchase_id') id: string): Promise<PurchaseDto> {
    const { owned, view } = await this.lookups.oneTime(projectId, id);
    return presentPurchase(owned, view);
  }

  @Get(':purchase_id/entitlements')
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'listPurchaseEntitlements',
    summary: 'List entitlements of a one-time purchase',
    description: 'The entitlements that the product of a purchase unlocks.',
  })
  @ApiOkResponse({ type: UnlockedEntitlementListDto })
  async entitlements(
    @Param('project_id') projectId: string,
    @Param('purchase_id') id: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<UnlockedEntitlementListDto> {
    const { owned, view } = await this.lookups.oneTime(projectId, id);
    const rows = pageOfAll(oneTimeEntitlements(view.catalog, owned), page, (row) => row.id);
    return listPage(
      request,
      page,
      rows,
      (row) => presentUnlocked(projectId, row),
      (row) => [row.id],
    );
  }
}
