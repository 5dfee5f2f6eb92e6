import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { checkedAttributes } from '../attributes/attribute.dto.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermissionInScope } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { CustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { presentCustomer } from '../../customers/customers/identity/customer.presenter.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { CreateCustomerDto, DeletedCustomerDto } from './customer-lifecycle.dto.js';
import { CustomerCreationService } from './customer-creation.service.js';
import { CustomerDeletionService } from './customer-deletion.service.js';

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers')
export class CustomerLifecycleV2Controller {
  constructor(
    private readonly creation: CustomerCreationService,
    private readonly deletion: CustomerDeletionService,
    private readonly customers: CustomersQueryService,
  ) {}

  @Post()
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'createCustomer',
    summary: 'Create a customer',
    description: 'Creates a customer before an SDK does, for example with attributes.',
    created: CustomerDto,
    errors: {
      409: 'The id is in use, or the test clock is advancing.',
      422: 'The test clock has too many customers.',
    },
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreateCustomerDto): Promise<CustomerDto> {
    assertAppUserId(body.id, 'id');
    const attributes = checkedAttributes(body.attributes ?? []);
    const customer = await this.creation.create(write, body.id, attributes, body.test_clock_id ?? null);
    const entitlements = await this.customers.entitlementsOf(write.projectId, customer);
    return presentCustomer(write.projectId, customer, entitlements, false);
  }

  @Delete(':customer_id')
  @RequirePermissionInScope('customer_information:customers:read_write', 'project:money')
  @V2Route({
    operationId: 'deleteCustomer',
    summary: 'Delete a customer',
    description:
      'Deletes a customer with their purchases, attributes and events. This cannot be undone. Their ids can be used again, and no event is sent.',
    ok: DeletedCustomerDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') customerId: string,
  ): Promise<DeletedCustomerDto> {
    const deletedAtMs = await this.deletion.delete(write, customerId);
    return { object: 'customer', id: customerId, deleted_at: deletedAtMs };
  }
}
