import { applyDecorators, Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../audit/project-write.js';
import { RequirePermission } from '../auth/access.js';
import { ApiError } from '../http/api-error.js';
import { V2ErrorDto } from '../http/error.dto.js';
import { SubscriptionDto } from '../purchases/purchase.dto.js';
import { presentSubscription } from '../purchases/purchase.presenter.js';
import { ExtendSubscriptionDto } from './subscription-actions.dto.js';
import { SubscriptionTransactionDto } from './subscription-transaction.dto.js';
import { presentSubscriptionTransaction } from './subscription-transaction.presenter.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** What every action of a store may answer instead. */
function StoreErrors(): MethodDecorator {
  return applyDecorators(
    ApiUnprocessableEntityResponse({
      type: V2ErrorDto,
      description: 'The store has no such action, or the subscription is not in the state for it.',
    }),
    ApiServiceUnavailableResponse({ type: V2ErrorDto, description: 'The store cannot be reached.' }),
  );
}

@ApiTags('Subscriptions')
@Controller('v2/projects/:project_id/subscriptions/:subscription_id')
export class SubscriptionActionsV2Controller {
  constructor(@Inject(SubscriptionsService) private readonly subscriptions: SubscriptionsService) {}

  @Post('actions/cancel')
  @HttpCode(200)
  @RequirePermission('customer_information:subscriptions:read_write')
  @ApiOperation({ operationId: 'cancelSubscription', summary: 'Turn auto-renew off (Play Store only)' })
  @ApiOkResponse({ type: SubscriptionDto })
  @StoreErrors()
  cancel(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
  ): Promise<SubscriptionDto> {
    return this.subscriptions.act(projectId, id, 'cancel');
  }

  @Post('actions/refund')
  @HttpCode(200)
  @RequirePermission('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'refundSubscription',
    summary: 'Refund the latest payment and end access (Play Store, Test Store)',
  })
  @ApiOkResponse({ type: SubscriptionDto })
  @StoreErrors()
  async refund(
    @CurrentWrite() write: ProjectWrite,
    @Param('subscription_id') id: string,
  ): Promise<SubscriptionDto> {
    const { owned, view } = await this.subscriptions.refund(write, id);
    return presentSubscription(owned, view);
  }

  @Post('actions/extend')
  @HttpCode(200)
  @RequirePermission('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'extendSubscription',
    summary: 'Move the renewal date (App Store, Play Store)',
    description: 'Exactly one of `extend_by_days` and `extend_until_ms`.',
  })
  @ApiOkResponse({ type: SubscriptionDto })
  @StoreErrors()
  extend(
    @Param('project_id') projectId: string,
    @Param('subscription_id') id: string,
    @Body() { extend_by_days: byDays, extend_until_ms: untilMs }: ExtendSubscriptionDto,
  ): Promise<SubscriptionDto> {
    if ((byDays === undefined) === (untilMs === undefined)) {
      throw ApiError.parameter(
        'extend_by_days',
        'Exactly one of extend_by_days and extend_until_ms must be given.',
      );
    }
    return this.subscriptions.act(projectId, id, 'extend');
  }

  @Post('transactions/:transaction_id/actions/refund')
  @HttpCode(200)
  @RequirePermission('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'refundSubscriptionTransaction',
    summary: 'Refund one payment; access stays (Play Store, Test Store)',
  })
  @ApiOkResponse({ type: SubscriptionTransactionDto })
  @StoreErrors()
  async refundTransaction(
    @CurrentWrite() write: ProjectWrite,
    @Param('subscription_id') id: string,
    @Param('transaction_id') transactionId: string,
  ): Promise<SubscriptionTransactionDto> {
    const { row, owned } = await this.subscriptions.refundTransaction(write, id, transactionId);
    return presentSubscriptionTransaction(row, owned.chain.facts);
  }
}
