import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { presentCustomer } from '../../customers/customers/identity/customer.presenter.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { IntField, StringField } from '../../platform/http/bodies/fields.js';
import { type GrantTerm, LATEST_MS } from './grant.body.js';
import { type GrantResult, GrantsService } from './grants.service.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ entitlement_id: 'entlsx2k8v0a1b', expires_at: 4102444800000 })
class GrantEntitlementDto {
  @StringField({ max: 255 })
  entitlement_id: string;

  @IntField({ min: 0, max: LATEST_MS, description: 'In the future, epoch milliseconds.' })
  expires_at: number;
}

@BodyExample({ entitlement_id: 'entlsx2k8v0a1b' })
class RevokeGrantedEntitlementDto {
  @StringField({ max: 255 })
  entitlement_id: string;
}

@ApiTags('Customers')
@Controller('v2/projects/:project_id/customers/:customer_id/actions')
export class GrantsV2Controller {
  constructor(
    private readonly grants: GrantsService,
    private readonly customers: CustomersQueryService,
  ) {}

  @Post('grant_entitlement')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'grantEntitlement',
    summary: 'Grant an entitlement',
    description:
      'Grants an entitlement until the given time. Nothing changes if an active grant ends within 2 hours of that time.',
    created: CustomerDto,
    errors: { 422: 'The entitlement is archived.' },
  })
  async grant(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') appUserId: string,
    @Body() { entitlement_id: entitlement, expires_at: expiresAtMs }: GrantEntitlementDto,
  ): Promise<CustomerDto> {
    const term = (nowMs: number): GrantTerm => {
      if (expiresAtMs > nowMs) return { expiresAtMs, duration: 'custom' };
      throw ApiError.parameter('expires_at', 'expires_at must be in the future.');
    };
    return this.present(
      await this.grants.grant(write, { appUserId, entitlement, term, createsCustomer: false }),
    );
  }

  @Post('revoke_granted_entitlement')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'revokeGrantedEntitlement',
    summary: 'Revoke a granted entitlement',
    description:
      'Ends every active grant of an entitlement at once. Purchases that unlock it stay as they are. Without a grant nothing happens.',
    ok: CustomerDto,
  })
  async revoke(
    @CurrentWrite() write: ProjectWrite,
    @Param('customer_id') appUserId: string,
    @Body() body: RevokeGrantedEntitlementDto,
  ): Promise<CustomerDto> {
    return this.present(await this.grants.revoke(write, appUserId, body.entitlement_id));
  }

  private async present({ customer, catalog }: GrantResult): Promise<CustomerDto> {
    const entitlements = await this.customers.entitlementsOf(catalog.projectId, customer);
    return presentCustomer(catalog.projectId, customer, entitlements, false);
  }
}
