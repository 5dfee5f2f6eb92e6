import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import { AuditLogService } from '../../../platform/audit/audit-log.service.js';
import { systemChange } from '../../../platform/audit/project-write.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { AlertKey } from '../../../workspace/alerts/project-alert.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import type { ClaimedDelivery } from '../deliveries.repository.js';
import { IntegrationsRepository } from '../integrations/integrations.repository.js';
import { circuitAlert, type EndpointFailure, failingMessage } from './circuit-alert.js';

type Endpoint = Pick<ClaimedDelivery, 'projectId' | 'webhookIntegrationId' | 'type'>;

type Action = Extract<
  AuditAction<'webhook_integration'> & AuditAction<'destination'>,
  'circuit_opened' | 'circuit_closed' | 'paused'
>;

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
    await this.alerts.resolve(tx, alertOf(endpoint));
  }

  async circuitOpened(tx: Transaction, endpoint: Endpoint, failure: EndpointFailure): Promise<void> {
    const { projectId, webhookIntegrationId } = endpoint;
    await this.recordAudit(tx, endpoint, 'circuit_opened', { failures: failure.failures });
    const integration = await this.integrations.find(projectId, webhookIntegrationId, tx);
    if (!integration) return;
    await this.alerts.open(tx, alertOf(endpoint), {
      name: integration.name,
      message: failingMessage(integration.url, failure),
    });
  }

  paused(tx: Transaction, endpoint: Endpoint, data: Record<string, unknown>): Promise<void> {
    return this.recordAudit(tx, endpoint, 'paused', data);
  }

  private recordAudit(
    tx: Transaction,
    { projectId, webhookIntegrationId, type }: Endpoint,
    action: Action,
    data: Record<string, unknown>,
  ): Promise<void> {
    const target = type === 'webhook' ? 'webhook_integration' : 'destination';
    const entry = { action, target, targetId: webhookIntegrationId, data } as const;
    return this.audit.record(tx, { ...systemChange, projectId }, entry);
  }
}

function alertOf({ projectId, webhookIntegrationId, type }: Endpoint): AlertKey {
  return circuitAlert(projectId, webhookIntegrationId, type);
}
