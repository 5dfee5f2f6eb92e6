import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import { AuditLogService } from '../../../platform/audit/audit-log.service.js';
import { systemChange } from '../../../platform/audit/project-write.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import type { ClaimedDelivery } from '../deliveries.repository.js';
import { IntegrationsRepository } from '../integrations/integrations.repository.js';
import { circuitAlert, failingMessage } from './circuit-alert.js';
import { afterFailure } from './circuit.js';
import { CircuitsRepository } from './circuits.repository.js';

/** The endpoint reports that it is permanently gone. */
const GONE = 410;

interface Failure {
  failures: number;
  responseStatus: number | null;
}

/** Counts failures of endpoints, and reports their consequences to the audit log and to the project's members. */
@Injectable()
export class EndpointHealthRecorder {
  constructor(
    private readonly circuits: CircuitsRepository,
    private readonly integrations: IntegrationsRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly audit: AuditLogService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Closes the circuit of an endpoint that responds again. */
  async recordSuccess(tx: Transaction, delivery: ClaimedDelivery): Promise<void> {
    const { projectId, webhookIntegrationId } = delivery;
    const wasOpen = await this.circuits.close(tx, projectId, webhookIntegrationId);
    if (!wasOpen) return;
    await this.recordAudit(tx, delivery, 'circuit_closed', {});
    await this.alerts.resolve(tx, circuitAlert(projectId, webhookIntegrationId));
  }

  /** Counts a failure of the endpoint. Locks in the same order as an update of the integration. */
  async recordFailure(
    tx: Transaction,
    delivery: ClaimedDelivery,
    responseStatus: number | null,
  ): Promise<void> {
    if (responseStatus === GONE) await this.pause(tx, delivery);
    const { projectId, webhookIntegrationId, isProbe } = delivery;
    const circuit = await this.circuits.lock(tx, projectId, webhookIntegrationId);
    const next = afterFailure(circuit, isProbe, this.config.webhookCircuitFailures, this.clock.nowMs());
    await this.circuits.save(tx, projectId, webhookIntegrationId, next);
    if (circuit.openedAt === null && next.openedAt !== null) {
      await this.reportOpenCircuit(tx, delivery, { failures: next.failures, responseStatus });
    }
  }

  private async pause(tx: Transaction, delivery: ClaimedDelivery): Promise<void> {
    const { projectId, webhookIntegrationId, id } = delivery;
    const isPaused = await this.integrations.pause(tx, projectId, webhookIntegrationId);
    if (!isPaused) return;
    await this.recordAudit(tx, delivery, 'paused', { response_status: GONE, delivery_id: id });
  }

  private async reportOpenCircuit(
    tx: Transaction,
    delivery: ClaimedDelivery,
    failure: Failure,
  ): Promise<void> {
    const { projectId, webhookIntegrationId, url } = delivery;
    await this.recordAudit(tx, delivery, 'circuit_opened', { failures: failure.failures });
    const integration = await this.integrations.find(projectId, webhookIntegrationId, tx);
    if (!integration) return;
    await this.alerts.open(tx, circuitAlert(projectId, webhookIntegrationId), {
      name: integration.name,
      message: failingMessage(url, failure),
    });
  }

  private recordAudit(
    tx: Transaction,
    { projectId, webhookIntegrationId }: ClaimedDelivery,
    action: AuditAction<'webhook_integration'>,
    data: Record<string, unknown>,
  ): Promise<void> {
    const entry = { action, target: 'webhook_integration', targetId: webhookIntegrationId, data } as const;
    return this.audit.record(tx, { ...systemChange, projectId }, entry);
  }
}
