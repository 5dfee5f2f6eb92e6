import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { listPage, pageOfAll } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { ActiveEntitlementListDto, CustomerDto, GetCustomerQuery } from './customer.dto.js';
import { activeEntitlements, presentActiveEntitlement, presentCustomer } from './customer.presenter.js';
import { CustomersQueryService } from './customers-query.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id')
export class CustomersV2Controller {
  constructor(private readonly customers: CustomersQueryService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getCustomer',
    summary: 'Get a customer',
    description: 'A customer with their active entitlements, found by any of their app user ids.',
    ok: CustomerDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Query() { expand }: GetCustomerQuery,
  ): Promise<CustomerDto> {
    const { customer, entitlements } = await this.customers.withEntitlements(projectId, customerId);
    return presentCustomer(projectId, customer, entitlements, expand.has('attributes'));
  }

  @Get('active_entitlements')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listActiveEntitlements',
    summary: 'List active entitlements of a customer',
    description: 'The entitlements that the customer has now, and until when.',
    ok: ActiveEntitlementListDto,
  })
  async activeEntitlements(
    @Param('project_id') projectId: string,
    @Param('customer_id') customerId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ActiveEntitlementListDto> {
    const { entitlements } = await this.customers.withEntitlements(projectId, customerId);
    const active = activeEntitlements(entitlements);
    const rows = pageOfAll(active, page, ({ id }) => id);
    return listPage(request, page, rows, presentActiveEntitlement, ({ id }) => [id]);
  }
}
