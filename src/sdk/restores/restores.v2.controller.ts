import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermissionInScope } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { presentCustomer } from '../../customers/customers/identity/customer.presenter.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { RestoresService } from './restores.service.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ order_id: 'GPA.3345-1234-5678-90123' })
class RestorePurchaseDto {
  @StringField({ max: 255, description: 'Order or transaction id of the store.' })
  order_id: string;
}

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/actions/restore_purchase_by_order_id')
export class RestoresV2Controller {
  constructor(
    private readonly restores: RestoresService,
    private readonly customers: CustomersQueryService,
  ) {}

  @Post()
  @V2Route({
    operationId: 'restorePurchaseByOrderId',
    summary: 'Restore a purchase by its order id',
    description:
      'Restores a purchase by the order id that the customer found in their receipt, as if they had restored it in the app: the transfer behavior of the project decides who owns it.',
    ok: CustomerDto,
    errors: {
      409: 'The purchase stays with another customer.',
      422: 'The credentials for the store are missing.',
      503: 'The store cannot be reached.',
    },
  })
  // Clients can read every customer's order ids, so from them an order id proves nothing.
  @RequirePermissionInScope('customer_information:customers:read_write', 'project:money')
  async restore(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') appUserId: string,
    @Body() { order_id: orderId }: RestorePurchaseDto,
    @Req() request: ApiRequest,
  ): Promise<CustomerDto> {
    const customer = await this.restores.restore(write, { appUserId, orderId, requestId: request.id });
    const entitlements = await this.customers.entitlementsOf(write.projectId, customer);
    return presentCustomer(write.projectId, customer, entitlements, false);
  }
}
