import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseDto } from '../../purchases/lookups/purchase.dto.js';
import { presentPurchase } from '../../purchases/lookups/purchase.presenter.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { StoreOrdersService } from './store-orders.service.js';

@ApiTags('Purchases')
@Controller('v2/projects/:project_id/purchases')
export class PurchaseActionsV2Controller {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly orders: StoreOrdersService,
  ) {}

  @Post(':purchase_id/actions/refund')
  @V2Route({
    permission: 'customer_information:purchases:read_write',
    operationId: 'refundPurchase',
    summary: 'Refund a one-time purchase',
    description: 'Refunds a purchase through its store. What it unlocks ends at once.',
    ok: PurchaseDto,
    errors: {
      422: 'The store does not support refunds through this server, or the purchase is already refunded.',
      503: 'The store cannot be reached.',
    },
  })
  async refund(@CurrentWrite() write: ProjectWrite, @Param('purchase_id') id: string): Promise<PurchaseDto> {
    const { projectId } = write;
    const { owned } = await this.lookups.oneTime(projectId, id);
    if (owned.state.status === 'refunded') {
      throw new ApiError('impossible', 'The purchase is already refunded.');
    }
    await this.orders.refundOneTime(write, owned.row);
    const { owned: refunded, view } = await this.lookups.oneTime(projectId, id);
    return presentPurchase(refunded, view);
  }
}
