import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { awaitedAttributes, definitions } from '../../../libs/destinations/index.js';
import { Config } from '../../platform/config/config.js';
import type { Executor, Transaction } from '../../platform/database/database.service.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import { type Lease, type LeasedWork } from '../../platform/jobs/leased-work.js';
import type { NewWork } from '../../platform/jobs/project-claims.js';
import {
  type ArrivedAttribute,
  type ClaimedDelivery,
  DeliveriesRepository,
  type PacedEvent,
} from './deliveries.repository.js';
import { DeliveryAttemptsService } from './delivery-attempts.service.js';
import { DeliverySendersService } from './delivery-senders.service.js';

const POLL_MS = 500;

/** Types that limit the rate of single messages. */
const sequentialTypes = definitions.filter(({ paceMs }) => paceMs !== null).map(({ id }) => id);

const failedTo = {
  claim: 'webhook deliveries could not be claimed; the next poll tries again',
  work: 'a webhook attempt was not recorded; the delivery is sent again when its lease ends',
  renew: 'webhook leases could not be renewed',
};

/**
 * Sends due webhook deliveries and records the attempts. Woken after commits; the poll finds retries, deliveries of
 * crashed replicas, and anything that a wake missed.
 */
@Injectable()
export class DeliveryDispatcherService extends LeasedWorkJob<ClaimedDelivery> {
  protected readonly leased: LeasedWork<ClaimedDelivery>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: DeliveriesRepository,
    private readonly attempts: DeliveryAttemptsService,
    senders: DeliverySendersService,
    config: Config,
  ) {
    super();
    this.leased = leasedWork.createByProject<ClaimedDelivery>({
      name: 'webhook_deliveries',
      leaseMs: config.webhookLeaseMs,
      slots: { total: config.webhookConcurrency, perKey: config.webhookEndpointConcurrency },
      queue: {
        pollPage: (now, after) => repository.pollPage(now, senders.types, after),
        claim: (projectId, terms, free) =>
          repository.claim(projectId, terms, free, senders.types, sequentialTypes),
      },
      keyOf: ({ webhookIntegrationId }) => webhookIntegrationId,
      projectOf: ({ projectId }) => projectId,
      work: (delivery, lease) => this.attempt(delivery, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  /** Deliveries may be due: claims immediately. Call after the commit that recorded them. */
  @Interval('webhook-deliveries', POLL_MS)
  override wake(work?: NewWork): void {
    super.wake(work);
  }

  private async attempt(delivery: ClaimedDelivery, lease: Lease): Promise<void> {
    await this.attempts.attempt(delivery, lease);
    // The customer's next event, or everything behind a closed circuit, may have been waiting for this one.
    if (delivery.isOrdered || delivery.isProbe) this.wake({ projectId: delivery.projectId });
  }

  /** Sends deliveries that wait for one of these attributes, after the commit. The customers must be locked. */
  async attributesArrived(
    tx: Transaction,
    projectId: string,
    arrived: readonly ArrivedAttribute[],
    nowMs: number,
  ): Promise<void> {
    const awaited = arrived.filter(({ name }) => awaitedAttributes.includes(name));
    if (awaited.length === 0) return;
    const woken = await this.repository.wake(tx, projectId, awaited, new Date(nowMs));
    if (woken > 0) tx.afterCommit(() => this.wake({ projectId }));
  }

  /** Limits the rate at which events are sent to each integration. Call in the transaction that saves them. */
  pace(
    executor: Executor,
    projectId: string,
    events: PacedEvent[],
    perSecond: number,
    nowMs: number,
  ): Promise<void> {
    return this.repository.pace(executor, projectId, events, perSecond, nowMs);
  }
}
