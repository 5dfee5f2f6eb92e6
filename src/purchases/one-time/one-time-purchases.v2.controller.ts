import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage, pageOfAll } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { oneTimeEntitlements } from '../../customers/customers/customer-info/customer-purchases.js';
import { PurchaseDto, PurchaseListDto, UnlockedEntitlementListDto } from '../lookups/purchase.dto.js';
import { presentPurchase, presentUnlocked } from '../lookups/purchase.presenter.js';
import { SearchPurchasesQuery } from '../lookups/purchases.query.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';

@ApiTags('Purchases')
@Controller('v2/projects/:project_id/purchases')
export class OneTimePurchasesV2Controller {
  constructor(private readonly lookups: PurchaseLookupsService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'searchPurchases',
    summary: 'Find one-time purchases',
    description:
      'The one-time purchases with a given store identifier: a transaction id, an order id or a token.',
    ok: PurchaseListDto,
  })
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
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'getPurchase',
    summary: 'Get a one-time purchase',
    description: 'A one-time purchase with its price, store and owner.',
    ok: PurchaseDto,
  })
  async get(@Param('project_id') projectId: string, @Param('purchase_id') id: string): Promise<PurchaseDto> {
    const { owned, view } = await this.lookups.oneTime(projectId, id);
    return presentPurchase(owned, view);
  }

  @Get(':purchase_id/entitlements')
  @V2Route({
    permission: 'customer_information:purchases:read',
    operationId: 'listPurchaseEntitlements',
    summary: 'List entitlements of a one-time purchase',
    description: 'The entitlements that the product of a purchase unlocks.',
    ok: UnlockedEntitlementListDto,
  })
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
