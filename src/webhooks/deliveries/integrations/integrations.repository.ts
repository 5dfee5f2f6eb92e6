import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { Integration, type WebhookIntegration } from './integration.entity.js';

export type IntegrationChanges = Partial<Omit<Integration, 'projectId' | 'id' | 'type' | 'createdAt'>>;

const webhook = { type: 'webhook' } as const;

@Injectable()
export class IntegrationsRepository {
  constructor(@InjectRepository(Integration) private readonly integrations: Repository<Integration>) {}

  async insert(tx: Transaction, integration: Integration): Promise<void> {
    await onTransaction(this.integrations, tx).insert(integration);
  }

  find(projectId: string, id: string, tx?: Executor): Promise<Integration | null> {
    return onTransaction(this.integrations, tx).findOneBy({ projectId, id });
  }

  findWebhook(projectId: string, id: string): Promise<WebhookIntegration | null> {
    return this.integrations.findOneBy({ projectId, id, ...webhook }) as Promise<WebhookIntegration | null>;
  }

  lockWebhook(tx: Transaction, projectId: string, id: string): Promise<WebhookIntegration | null> {
    const options = { where: { projectId, id, ...webhook }, lock: { mode: 'pessimistic_write' } } as const;
    return onTransaction(this.integrations, tx).findOne(options) as Promise<WebhookIntegration | null>;
  }

  /** Returns false if it was already paused. */
  async pause(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.integrations, tx).update(
      { projectId, id, enabled: true },
      { enabled: false },
    );
    return affected === 1;
  }

  webhooks(projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    return keysetPage(this.integrations, { projectId, ...webhook }, page) as Promise<WebhookIntegration[]>;
  }

  /** Writes only the given columns, so that concurrent updates of different fields both persist. */
  async update(tx: Transaction, projectId: string, id: string, changes: IntegrationChanges): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    await onTransaction(this.integrations, tx).update({ projectId, id }, changes);
  }

  /** Returns false if it did not exist. */
  async deleteWebhook(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.integrations, tx).delete({ projectId, id, ...webhook });
    return affected === 1;
  }
}
