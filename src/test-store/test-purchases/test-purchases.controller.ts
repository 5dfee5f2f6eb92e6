import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermissionInScope } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { presentCustomer } from '../../customers/customers/identity/customer.presenter.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { presentPurchase, presentSubscription } from '../../purchases/lookups/purchase.presenter.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { CreateTestPurchaseDto, TestPurchaseDto } from './test-purchase.dto.js';
import type { TestPurchase } from './test-purchase.js';
import { TestPurchasesService } from './test-purchases.service.js';

/** A refund always ends access, so its EXPIRATION is not listed. */
function listed({ scenario, events }: TestPurchase): TestPurchase['events'] {
  const isRefund = scenario === 'refund' || scenario === 'refund_reversed';
  return isRefund ? events.filter(({ type }) => type !== 'EXPIRATION') : events;
}

@ApiTags('Test Store')
@Controller('v2/projects/:project_id/test_purchases')
export class TestPurchasesController {
  constructor(
    private readonly purchases: TestPurchasesService,
    private readonly lookups: PurchaseLookupsService,
    private readonly customers: CustomersQueryService,
  ) {}

  @Post()
  // Needs no `project:money`, because a test purchase moves no money.
  @RequirePermissionInScope('customer_information:purchases:read_write', 'project:write')
  @V2Route({
    operationId: 'createTestPurchase',
    summary: 'Simulate a purchase',
    description:
      'Makes a purchase in the Test Store and applies a scenario to it, such as a renewal or a refund. The events are those of a real purchase: recorded now, with the time at which each would have happened. With `subscription_id`, the scenario is applied to that subscription now.',
    created: TestPurchaseDto,
    errors: {
      409: 'The transfer behavior of the project refuses the transfer.',
      422: 'The product belongs to another store, or the scenario is impossible for the product or subscription.',
    },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateTestPurchaseDto,
    @Req() request: ApiRequest,
  ): Promise<TestPurchaseDto> {
    const done = await this.purchases.run(write, body, request.id);
    const { projectId } = write;
    const { subscriptionId, purchaseId } = done;
    const events = listed(done);
    const { customer, entitlements } = await this.customers.withEntitlements(projectId, done.appUserId);
    const subscription =
      subscriptionId === null ? null : await this.lookups.subscription(projectId, subscriptionId);
    const oneTime = purchaseId === null ? null : await this.lookups.oneTime(projectId, purchaseId);
    return {
      object: 'test_purchase',
      scenario: done.scenario,
      store_transaction_id: done.storeTransactionId,
      event_types: events.map(({ type }) => type),
      events: events.map(({ id }) => id),
      customer: presentCustomer(projectId, customer, entitlements, false),
      subscription: subscription && presentSubscription(subscription.owned, subscription.view),
      purchase: oneTime && presentPurchase(oneTime.owned, oneTime.view),
    };
  }
}
