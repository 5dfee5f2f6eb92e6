import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { EndpointQueuesService } from '../circuits/endpoint-queues.service.js';
import type { Integration } from './integration.entity.js';
import { type IntegrationChanges, IntegrationsRepository } from './integrations.repository.js';

/** Integrations and their queues. The features that configure them validate, seal secrets and audit. */
@Injectable()
export class IntegrationsService {
  constructor(
    private readonly repository: IntegrationsRepository,
    private readonly queues: EndpointQueuesService,
  ) {}

  find(projectId: string, id: string): Promise<Integration | null> {
    return this.repository.find(projectId, id);
  }

  /** Locked until the transaction ends. */
  lock(tx: Transaction, projectId: string, id: string): Promise<Integration | null> {
    return this.repository.lock(tx, projectId, id);
  }

  /** Up to `limit + 1` integrations. */
  page(projectId: string, page: PageRequest): Promise<Integration[]> {
    return this.repository.page(projectId, page);
  }

  insert(tx: Transaction, integration: Integration): Promise<void> {
    return this.repository.insert(tx, integration);
  }

  /** Waiting deliveries use the integration's settings at the time of sending. */
  update(tx: Transaction, { projectId, id }: Integration, changes: IntegrationChanges): Promise<void> {
    return this.repository.update(tx, projectId, id, changes);
  }

  /**
   * Deletes an integration and its pending deliveries. The dispatcher drops deliveries that a concurrent purchase adds.
   * Returns false if it did not exist.
   */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    if (!(await this.repository.delete(tx, projectId, id))) return false;
    await this.queues.drop(tx, projectId, id);
    return true;
  }
}
