import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { customerInfoText } from '../../../customers/customers/customer-info/customer-info.js';
import { CustomerInfoService } from '../../../customers/customers/customer-info/customer-info.service.js';
import { type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';

@Injectable()
export class WebhookCustomerInfoService {
  constructor(
    private readonly customers: CustomerInfoService,
    private readonly deliveries: DeliveriesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** JSON text at the first attempt: never older than the event, and identical in every retry. Null if excluded. */
  async of(delivery: ClaimedDelivery): Promise<string | null> {
    if (delivery.customerInfo !== null) return delivery.customerInfo;
    if (!delivery.includeCustomerInfo || delivery.attempts > 0) return null;
    return this.deliveries.freezeCustomerInfo(delivery, await this.read(delivery));
  }

  private async read({ projectId, customerId }: ClaimedDelivery): Promise<string> {
    const info = customerId === null ? null : await this.customers.find(projectId, customerId);
    return info ? customerInfoText(info, this.clock.nowMs()) : 'null';
  }
}
