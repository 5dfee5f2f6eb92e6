import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import { AuditLogService } from '../../../platform/audit/audit-log.service.js';
import { systemChange } from '../../../platform/audit/project-write.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import { circuitAlert, failingMessage } from './circuit-alert.js';
import type { ClaimedDelivery } from '../deliveries/deliveries.repository.js';
import { WebhookIntegrationsRepository } from '../integrations/webhook-integrations.repository.js';

type Endpoint = Pick<ClaimedDelivery, 'projectId' | 'webhookIntegrationId' | 'id' | 'url'>;

/** Reports the consequences of an endpoint's failures to the audit log and to the project's members. */
@Injectable()
export class EndpointEventsRecorder {
  constructor(
    private readonly integrations: WebhookIntegrationsRepository,
    private readonly audit: AuditLogService,
    private readonly alerts: ProjectAlertsService,
  ) {}

  async circuitOpened(
    tx: Transaction,
    endpoint: Endpoint,
    failure: { failures: number; responseStatus: number | null },
  ): Promise<void> {
    const { projectId, webhookIntegrationId, url } = endpoint;
    await this.record(tx, endpoint, 'circuit_opened', { failures: failure.failures });
    const integration = await this.integrations.find(projectId, webhookIntegrationId, tx);
    if (!integration) return;
    const { name } = integration;
    await this.alerts.open(tx, circuitAlert(projectId, webhookIntegrationId), {
      name,
      message: failingMessage(url, failure),
    });
  }

  async circuitClosed(tx: Transaction, endpoint: Endpoint): Promise<void> {
    await this.record(tx, endpoint, 'circuit_closed', {});
    await this.alerts.resolve(tx, circuitAlert(endpoint.projectId, endpoint.webhookIntegrationId));
  }

  /** Pauses the integration because its endpoint responded that it is permanently gone. */
  async gone(tx: Transaction, endpoint: Endpoint, responseStatus: number): Promise<void> {
    const { projectId, webhookIntegrationId, id } = endpoint;
    const isPaused = await this.integrations.pause(tx, projectId, webhookIntegrationId);
    if (!isPaused) return;
    await this.record(tx, endpoint, 'paused', { response_status: responseStatus, delivery_id: id });
  }

  private record(
    tx: Transaction,
    { projectId, webhookIntegrationId }: Endpoint,
    action: AuditAction<'webhook_integration'>,
    data: Record<string, unknown>,
  ): Promise<void> {
    const entry = { action, target: 'webhook_integration', targetId: webhookIntegrationId, data } as const;
    return this.audit.record(tx, { ...systemChange, projectId }, entry);
  }
}
