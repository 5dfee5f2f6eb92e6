import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { listPage, pageOfAll, pageRequest } from '../../platform/http/lists.js';
import { PageQuery, requiredTextQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { oneTimeEntitlements } from '../../customers/customers/customer-purchases.js';
import { PurchaseDto, PurchaseListDto, UnlockedEntitlementListDto } from './purchase.dto.js';
import { presentPurchase, presentUnlocked } from './purchase.presenter.js';
import { PurchaseLookupsService } from './purchase-lookups.service.js';

const IDENTIFIER_MAX = 1500;

@ApiTags('Purchases')
@Controller('v2/projects/:project_id/purchases')
export class OneTimePurchasesV2Controller {
  constructor(private readonly lookups: PurchaseLookupsService) {}

  @Get()
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({ operationId: 'searchPurchases', summary: 'One-time purchases by an id of their store' })
  @ApiQuery({
    name: 'store_purchase_identifier',
    type: String,
    description: 'Transaction or order id, or token.',
  })
  @PageQuery()
  @ApiOkResponse({ type: PurchaseListDto })
  async search(@Param('project_id') projectId: string, @Req() request: ApiRequest): Promise<PurchaseListDto> {
    const page = pageRequest(request);
    const storeIdentifier = requiredTextQuery(request, 'store_purchase_identifier', IDENTIFIER_MAX);
    const rows = await this.lookups.oneTimeNamed(projectId, storeIdentifier, page);
    return listPage(
      request,
      page,
      rows,
      ({ owned, view }) => presentPurchase(owned, view),
      ({ at, owned }) => [at, owned.purchase.id],
    );
  }

  @Get(':purchase_id')
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({ operationId: 'getPurchase', summary: 'A one-time purchase' })
  @ApiOkResponse({ type: PurchaseDto })
  async get(@Param('project_id') projectId: string, @Param('purchase_id') id: string): Promise<PurchaseDto> {
    const { owned, view } = await this.lookups.oneTime(projectId, id);
    return presentPurchase(owned, view);
  }

  @Get(':purchase_id/entitlements')
  @RequirePermission('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'listPurchaseEntitlements',
    summary: 'What the product of a purchase unlocks',
  })
  @PageQuery()
  @ApiOkResponse({ type: UnlockedEntitlementListDto })
  async entitlements(
    @Param('project_id') projectId: string,
    @Param('purchase_id') id: string,
    @Req() request: ApiRequest,
  ): Promise<UnlockedEntitlementListDto> {
    const page = pageRequest(request);
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
