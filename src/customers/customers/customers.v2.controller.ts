import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { expandNames } from '../../platform/http/expand.js';
import { listPage, pageOfAll, pageRequest } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { ActiveEntitlementListDto, CustomerDto } from './customer.dto.js';
import { activeEntitlements, presentActiveEntitlement, presentCustomer } from './customer.presenter.js';
import { CustomersQueryService } from './customers-query.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id')
export class CustomersV2Controller {
  constructor(private readonly customers: CustomersQueryService) {}

  @Get()
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({ operationId: 'getCustomer', summary: 'A customer, by any of their app user ids' })
  @ApiQuery({ name: 'expand', required: false, isArray: true, enum: ['attributes'] })
  @ApiOkResponse({ type: CustomerDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Req() request: ApiRequest,
  ): Promise<CustomerDto> {
    const expand = expandNames(request, ['attributes']);
    const { customer, entitlements } = await this.customers.withEntitlements(projectId, customerId);
    return presentCustomer(projectId, customer, entitlements, expand.has('attributes'));
  }

  @Get('active_entitlements')
  @RequirePermission('customer_information:customers:read')
  @ApiOperation({ operationId: 'listActiveEntitlements', summary: 'Entitlements the customer holds now' })
  @PageQuery()
  @ApiOkResponse({ type: ActiveEntitlementListDto })
  async activeEntitlements(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Req() request: ApiRequest,
  ): Promise<ActiveEntitlementListDto> {
    const page = pageRequest(request);
    const { entitlements } = await this.customers.withEntitlements(projectId, customerId);
    const active = activeEntitlements(entitlements);
    const rows = pageOfAll(active, page, ({ id }) => id);
    return listPage(request, page, rows, presentActiveEntitlement, ({ id }) => [id]);
  }
}
