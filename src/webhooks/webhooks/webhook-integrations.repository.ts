import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../platform/database/database.js';
import { findByKey } from '../../platform/database/find-by-key.js';
import { keysetPage } from '../../platform/http/keyset.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { WebhookIntegration } from './webhook-integration.entity.js';

/** Columns of an integration that can change. */
export type WebhookIntegrationChanges = Partial<Omit<WebhookIntegration, 'projectId' | 'id' | 'createdAt'>>;

@Injectable()
export class WebhookIntegrationsRepository {
  async insert({ manager }: Executor, integration: WebhookIntegration): Promise<void> {
    await manager.getRepository(WebhookIntegration).insert(integration);
  }

  find(executor: Executor, projectId: string, id: string): Promise<WebhookIntegration | null> {
    return findByKey(executor, WebhookIntegration, { projectId, id });
  }

  /** The integration, locked until the transaction ends. */
  lock({ manager }: Transaction, projectId: string, id: string): Promise<WebhookIntegration | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return manager.getRepository(WebhookIntegration).findOne({ where: { projectId, id }, lock });
  }

  /** False when it was paused already. */
  async pause({ manager }: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await manager
      .getRepository(WebhookIntegration)
      .update({ projectId, id, enabled: true }, { enabled: false });
    return affected === 1;
  }

  /** One more than a page, oldest first. */
  page(executor: Executor, projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    return keysetPage(executor.manager.getRepository(WebhookIntegration), { projectId }, page);
  }

  /** Writes the given columns only: two updates of different fields at once both last. */
  async update(
    { manager }: Executor,
    projectId: string,
    id: string,
    changes: WebhookIntegrationChanges,
  ): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    await manager.getRepository(WebhookIntegration).update({ projectId, id }, changes);
  }

  /** False when there was none. */
  async delete({ manager }: Executor, projectId: string, id: string): Promise<boolean> {
    const { affected } = await manager.getRepository(WebhookIntegration).delete({ projectId, id });
    return affected === 1;
  }
}
