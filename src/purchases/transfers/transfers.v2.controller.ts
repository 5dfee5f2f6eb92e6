import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import type { CustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { presentCustomer } from '../../customers/customers/identity/customer.presenter.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { TransferDto, TransferredDto } from './transfer.dto.js';
import { TransfersService } from './transfers.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/actions/transfer')
export class TransfersV2Controller {
  constructor(
    private readonly transfers: TransfersService,
    private readonly customers: CustomersQueryService,
  ) {}

  @Post()
  @V2Route({
    permission: [
      'customer_information:customers:read_write',
      'customer_information:subscriptions:read_write',
      'customer_information:purchases:read_write',
    ],
    operationId: 'transferCustomer',
    summary: 'Transfer purchases to another customer',
    description:
      'Moves all purchases of a customer to another customer. Ids, attributes and balances stay. One TRANSFER event is recorded for both.',
    ok: TransferredDto,
    errors: { 422: 'Source and target are the same customer, or there is nothing to transfer.' },
  })
  async transfer(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
    @Body() body: TransferDto,
    @Req() request: ApiRequest,
  ): Promise<TransferredDto> {
    assertAppUserId(body.target_customer_id, 'target_customer_id');
    const { from, to } = await this.transfers.transfer(write, {
      sourceAppUserId: customerId,
      targetAppUserId: body.target_customer_id,
      appIds: body.app_ids ?? null,
      requestId: request.id,
    });
    return {
      source_customer: await this.present(write.projectId, from),
      target_customer: await this.present(write.projectId, to),
    };
  }

  private async present(projectId: string, customer: CustomerRow): Promise<CustomerDto> {
    const entitlements = await this.customers.entitlementsOf(projectId, customer);
    return presentCustomer(projectId, customer, entitlements, false);
  }
}
