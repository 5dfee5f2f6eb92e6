import { applyDecorators, Body, Controller, Param, Post } from '@nestjs/common';
import { ApiServiceUnavailableResponse, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { V2ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { OwnedSubscription } from '../../customers/customers/customer-info/customer-purchases.js';
import { SubscriptionDto } from '../../purchases/lookups/purchase.dto.js';
import type { FoundPurchase } from '../../purchases/lookups/purchase-lookups.service.js';
import { presentSubscription } from '../../purchases/lookups/purchase.presenter.js';
import type { ExtensionOptions } from './subscription-extensions.service.js';
import { extendReasonCodes, ExtendSubscriptionDto } from './subscription-actions.dto.js';
import { SubscriptionTransactionDto } from '../../purchases/subscriptions/subscription-transaction.dto.js';
import { presentSubscriptionTransaction } from '../../purchases/subscriptions/subscription-transaction.presenter.js';
import { SubscriptionActionsService } from './subscription-actions.service.js';

function StoreErrors(): MethodDecorator {
  return applyDecorators(
    ApiUnprocessableEntityResponse({
      type: V2ErrorDto,
      description:
        'The store does not support the action, or the state of the subscription does not allow it.',
    }),
    ApiServiceUnavailableResponse({ type: V2ErrorDto, description: 'The store cannot be reached.' }),
  );
}

function optionsOf({
  extend_by_days: days,
  extend_until_ms: untilMs,
  extend_reason_code: reason,
}: ExtendSubscriptionDto): ExtensionOptions {
  const reasonCode = reason === undefined ? null : extendReasonCodes.indexOf(reason);
  if (days !== undefined && untilMs === undefined) return { by: { days }, reasonCode };
  if (untilMs !== undefined && days === undefined) return { by: { untilMs }, reasonCode };
  throw ApiError.parameter(
    'extend_by_days',
    'Exactly one of extend_by_days and extend_until_ms must be given.',
  );
}

@ApiTags('Subscriptions')
@Controller('v2/projects/:project_id/subscriptions/:subscription_id')
export class SubscriptionActionsV2Controller {
  constructor(private readonly actions: SubscriptionActionsService) {}

  @Post('actions/cancel')
  @V2Route({
    permission: 'customer_information:subscriptions:read_write',
    operationId: 'cancelSubscription',
    summary: 'Cancel a subscription',
    description:
      'Turns the automatic renewal off; access lasts until the end of the period. Play Store only.',
    ok: SubscriptionDto,
  })
  @StoreErrors()
  cancel(
    @CurrentWrite() write: ProjectWrite,
    @Param('subscription_id') id: string,
  ): Promise<SubscriptionDto> {
    return this.presented(this.actions.cancel(write, id));
  }

  @Post('actions/refund')
  @V2Route({
    permission: 'customer_information:subscriptions:read_write',
    operationId: 'refundSubscription',
    summary: 'Refund and end a subscription',
    description: 'Refunds the latest payment and ends access now. Play Store and Test Store only.',
    ok: SubscriptionDto,
  })
  @StoreErrors()
  refund(
    @CurrentWrite() write: ProjectWrite,
    @Param('subscription_id') id: string,
  ): Promise<SubscriptionDto> {
    return this.presented(this.actions.refund(write, id));
  }

  @Post('actions/extend')
  @V2Route({
    permission: 'customer_information:subscriptions:read_write',
    operationId: 'extendSubscription',
    summary: 'Extend a subscription',
    description:
      'Moves the renewal date of a subscription. Give exactly one of `extend_by_days` and `extend_until_ms`. App Store and Play Store only.',
    ok: SubscriptionDto,
  })
  @StoreErrors()
  extend(
    @CurrentWrite() write: ProjectWrite,
    @Param('subscription_id') id: string,
    @Body() body: ExtendSubscriptionDto,
  ): Promise<SubscriptionDto> {
    return this.presented(this.actions.extend(write, id, optionsOf(body)));
  }

  @Post('transactions/:transaction_id/actions/refund')
  @V2Route({
    permission: 'customer_information:subscriptions:read_write',
    operationId: 'refundSubscriptionTransaction',
    summary: 'Refund a payment of a subscription',
    description: 'Refunds one payment; access stays. Play Store and Test Store only.',
    ok: SubscriptionTransactionDto,
  })
  @StoreErrors()
  async refundTransaction(
    @CurrentWrite() write: ProjectWrite,
    @Param('subscription_id') id: string,
    @Param('transaction_id') transactionId: string,
  ): Promise<SubscriptionTransactionDto> {
    const { row, facts } = await this.actions.refundTransaction(write, id, transactionId);
    return presentSubscriptionTransaction(row, facts);
  }

  private async presented(found: Promise<FoundPurchase<OwnedSubscription>>): Promise<SubscriptionDto> {
    const { owned, view } = await found;
    return presentSubscription(owned, view);
  }
}
