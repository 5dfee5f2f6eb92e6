import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import { AuditLogService } from '../../../platform/audit/audit-log.service.js';
import { systemChange } from '../../../platform/audit/project-write.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import type { ClaimedDelivery } from '../deliveries.repository.js';
import { IntegrationsRepository } from '../integrations/integrations.repository.js';
import { circuitAlert, failingMessage } from './circuit-alert.js';

type Endpoint = Pick<ClaimedDelivery, 'projectId' | 'webhookIntegrationId'>;

/** Reports what happens to endpoints to the audit log and to the project's members. */
@Injectable()
export class EndpointEventsRecorder {
  constructor(
    private readonly integrations: IntegrationsRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly audit: AuditLogService,
  ) {}

  async circuitClosed(tx: Transaction, endpoint: Endpoint): Promise<void> {
    await this.recordAudit(tx, endpoint, 'circuit_closed', {});
    await this.alerts.resolve(tx, circuitAlert(endpoint.projectId, endpoint.webhookIntegrationId));
  }

  async circuitOpened(
    tx: Transaction,
    endpoint: Endpoint,
    failure: { failures: number; responseStatus: number | null },
  ): Promise<void> {
    const { projectId, webhookIntegrationId } = endpoint;
    await this.recordAudit(tx, endpoint, 'circuit_opened', { failures: failure.failures });
    const integration = await this.integrations.find(projectId, webhookIntegrationId, tx);
    if (!integration) return;
    await this.alerts.open(tx, circuitAlert(projectId, webhookIntegrationId), {
      name: integration.name,
      message: failingMessage(integration.url, failure),
    });
  }

  paused(tx: Transaction, endpoint: Endpoint, data: Record<string, unknown>): Promise<void> {
    return this.recordAudit(tx, endpoint, 'paused', data);
  }

  private recordAudit(
    tx: Transaction,
    { projectId, webhookIntegrationId }: Endpoint,
    action: AuditAction<'webhook_integration'>,
    data: Record<string, unknown>,
  ): Promise<void> {
    const entry = { action, target: 'webhook_integration', targetId: webhookIntegrationId, data } as const;
    return this.audit.record(tx, { ...systemChange, projectId }, entry);
  }
}
