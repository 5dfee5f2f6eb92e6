import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { EndpointQueuesService } from '../circuits/endpoint-queues.service.js';
import type { DestinationIntegration, Integration, WebhookIntegration } from './integration.entity.js';
import { type IntegrationChanges, IntegrationsRepository } from './integrations.repository.js';

/** Integrations and their queues. The features that configure them validate, seal secrets and audit. */
@Injectable()
export class IntegrationsService {
  constructor(
    private readonly repository: IntegrationsRepository,
    private readonly queues: EndpointQueuesService,
  ) {}

  findWebhook(projectId: string, id: string): Promise<WebhookIntegration | null> {
    return this.repository.findWebhook(projectId, id);
  }

  /** Locked until the transaction ends. */
  lockWebhook(tx: Transaction, projectId: string, id: string): Promise<WebhookIntegration | null> {
    return this.repository.lockWebhook(tx, projectId, id);
  }

  /** Up to `limit + 1` webhooks. */
  webhooks(projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    return this.repository.webhooks(projectId, page);
  }

  findDestination(projectId: string, id: string): Promise<DestinationIntegration | null> {
    return this.repository.findDestination(projectId, id);
  }

  /** Locked until the transaction ends. */
  lockDestination(tx: Transaction, projectId: string, id: string): Promise<DestinationIntegration | null> {
    return this.repository.lockDestination(tx, projectId, id);
  }

  /** Up to `limit + 1` destinations. */
  destinations(
    projectId: string,
    type: DestinationIntegration['type'] | null,
    page: PageRequest,
  ): Promise<DestinationIntegration[]> {
    return this.repository.destinations(projectId, type, page);
  }

  /** Number of destinations. Transactions that count those of the same project run one after the other. */
  countDestinations(tx: Transaction, projectId: string): Promise<number> {
    return this.repository.countDestinations(tx, projectId);
  }

  insert(tx: Transaction, integration: Integration): Promise<void> {
    return this.repository.insert(tx, integration);
  }

  /** Waiting deliveries use the integration's settings at the time of sending. */
  update(tx: Transaction, { projectId, id }: Integration, changes: IntegrationChanges): Promise<void> {
    return this.repository.update(tx, projectId, id, changes);
  }

  /**
   * Deletes a webhook and its pending deliveries. The dispatcher drops deliveries that a concurrent purchase adds.
   * Returns false if it did not exist.
   */
  async deleteWebhook(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    if (!(await this.repository.deleteWebhook(tx, projectId, id))) return false;
    await this.queues.drop(tx, projectId, id);
    return true;
  }

  /** Like `deleteWebhook`; deliveries that wait for an attribute are deleted as well. */
  async deleteDestination(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    if (!(await this.repository.deleteDestination(tx, projectId, id))) return false;
    await this.queues.drop(tx, projectId, id);
    return true;
  }
}
