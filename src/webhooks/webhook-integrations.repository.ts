import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import { WebhookIntegration } from './webhook-integration.entity.js';

const page = statement(
  'webhook_integrations.page',
  `SELECT w.project_id AS "projectId", w.id, w.name, w.url, w.environment, w.event_types AS "eventTypes",
     w.app_id AS "appId", w.enabled, w.created_at AS "createdAt"
   FROM webhook_integrations w
   WHERE w.project_id = $1 AND ($2::text IS NULL OR (w.created_at, w.id) > (
     SELECT c.created_at, c.id FROM webhook_integrations c WHERE c.project_id = $1 AND c.id = $2))
   ORDER BY w.created_at, w.id LIMIT $3`,
);

@Injectable()
export class WebhookIntegrationsRepository {
  async insert(executor: Executor, integration: WebhookIntegration): Promise<void> {
    await executor.manager.getRepository(WebhookIntegration).insert(integration);
  }

  find(executor: Executor, projectId: string, id: string): Promise<WebhookIntegration | null> {
    return executor.manager.getRepository(WebhookIntegration).findOneBy({ projectId, id });
  }

  /** One more than a page, oldest first. */
  page(executor: Executor, projectId: string, { after, limit }: PageRequest): Promise<WebhookIntegration[]> {
    return executor.query(page, [projectId, after, limit + 1]);
  }
}
