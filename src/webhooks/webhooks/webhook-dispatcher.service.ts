import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../platform/config/config.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { type Lease, type LeasedWork } from '../../platform/jobs/leased-work.js';
import { type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsService } from './delivery-attempts.service.js';

const POLL_MS = 500;

const failedTo = {
  claim: 'webhook deliveries could not be claimed; the next poll tries again',
  work: 'a webhook attempt was not recorded; the delivery is sent again when its lease ends',
  renew: 'webhook leases could not be renewed',
};

/**
 * Sends due webhook deliveries and records the attempts. Woken after commits; the poll finds retries, the
 * deliveries of replicas that died, and whatever a wake missed.
 */
@Injectable()
export class WebhookDispatcherService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly deliveries: LeasedWork<ClaimedDelivery>;

  constructor(
    leasedWork: LeasedWorkFactory,
    repository: DeliveriesRepository,
    private readonly attempts: DeliveryAttemptsService,
    config: Config,
  ) {
    this.deliveries = leasedWork.create<ClaimedDelivery>({
      name: 'webhook_deliveries',
      leaseMs: config.webhookLeaseMs,
      slots: { total: config.webhookConcurrency, perKey: config.webhookEndpointConcurrency },
      keyOf: ({ webhookIntegrationId }) => webhookIntegrationId,
      claim: (terms, free) => repository.claim(terms, free),
      work: (delivery, lease) => this.attempt(delivery, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  /** Deliveries may be due: polls at once. To be called after the commit that recorded them. */
  @Interval('webhook-deliveries', POLL_MS)
  wake(): void {
    this.deliveries.wake();
  }

  /** Makes every attempt that is due now, and comes back when all have been answered or have failed. */
  drain(): Promise<void> {
    return this.deliveries.drain();
  }

  /** Takes nothing new while the last requests are answered. */
  beforeApplicationShutdown(): void {
    void this.deliveries.stop();
  }

  /** Attempts under way end within the grace time, before connections and database are closed. */
  onApplicationShutdown(): Promise<void> {
    return this.deliveries.stop();
  }

  private async attempt(delivery: ClaimedDelivery, lease: Lease): Promise<void> {
    await this.attempts.make(delivery, lease);
    // What may be due now waited for this one: the customer's next event, or everything behind a closed circuit.
    if (delivery.isOrdered || delivery.isProbe) this.wake();
  }
}
