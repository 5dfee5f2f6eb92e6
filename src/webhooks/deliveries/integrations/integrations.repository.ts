import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { lockIntegrations } from '../paced-deliveries.sql.js';
import { type DestinationIntegration, Integration, type WebhookIntegration } from './integration.entity.js';

export type IntegrationChanges = Partial<Omit<Integration, 'projectId' | 'id' | 'type' | 'createdAt'>>;

const webhook = { type: 'webhook' } as const;
const destination = { type: Not<'webhook'>('webhook') };

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

  findDestination(projectId: string, id: string): Promise<DestinationIntegration | null> {
    const where = { projectId, id, ...destination };
    return this.integrations.findOneBy(where) as Promise<DestinationIntegration | null>;
  }

  lockDestination(tx: Transaction, projectId: string, id: string): Promise<DestinationIntegration | null> {
    const options = {
      where: { projectId, id, ...destination },
      lock: { mode: 'pessimistic_write' },
    } as const;
    return onTransaction(this.integrations, tx).findOne(options) as Promise<DestinationIntegration | null>;
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

  /** `type`: null for every type of destination. */
  destinations(
    projectId: string,
    type: DestinationIntegration['type'] | null,
    page: PageRequest,
  ): Promise<DestinationIntegration[]> {
    const where = { projectId, ...(type === null ? destination : { type }) };
    return keysetPage(this.integrations, where, page) as Promise<DestinationIntegration[]>;
  }

  /** Number of destinations. Two transactions that count those of a project run one after the other. */
  async countDestinations(tx: Transaction, projectId: string): Promise<number> {
    await tx.query(lockIntegrations, [projectId]);
    return onTransaction(this.integrations, tx).countBy({ projectId, ...destination });
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

  /** Returns false if it did not exist. */
  async deleteDestination(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.integrations, tx).delete({
      projectId,
      id,
      ...destination,
    });
    return affected === 1;
  }
}
