import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import { circuitAlert } from './circuit-alert.js';
import { CircuitsRepository, type EndpointState } from './circuits.repository.js';
import { DeliveriesRepository } from '../deliveries.repository.js';
import { DeliveryDispatcherService } from '../delivery-dispatcher.service.js';

@Injectable()
export class EndpointQueuesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly circuits: CircuitsRepository,
    private readonly dispatcher: DeliveryDispatcherService,
    private readonly alerts: ProjectAlertsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  withOpenCircuit(projectId: string, webhookIntegrationIds: string[]): Promise<Set<string>> {
    return this.circuits.openOf(projectId, webhookIntegrationIds);
  }

  /** By integration. Healthy endpoints are absent. */
  statesOf(projectId: string, webhookIntegrationIds: string[]): Promise<Map<string, EndpointState>> {
    const now = new Date(this.clock.nowMs());
    return this.circuits.statesOf(projectId, webhookIntegrationIds, now);
  }

  /**
   * Resets earlier failures and sends waiting deliveries after the commit, also those that were refused with an earlier
   * key. For an endpoint whose address or credentials have changed.
   */
  async restart(tx: Transaction, projectId: string, webhookIntegrationId: string): Promise<void> {
    await this.close(tx, projectId, webhookIntegrationId);
    await this.deliveries.sendRefused(tx, projectId, webhookIntegrationId, new Date(this.clock.nowMs()));
    tx.afterCommit(() => this.dispatcher.wake({ projectId }));
  }

  /** Sends due deliveries after the commit. An endpoint with an open circuit receives a probe immediately. */
  async sendNow(tx: Transaction, projectId: string, webhookIntegrationId: string, now: Date): Promise<void> {
    await this.circuits.probeNow(tx, projectId, webhookIntegrationId, now);
    tx.afterCommit(() => this.dispatcher.wake({ projectId }));
  }

  /** Deletes pending deliveries and the circuit. */
  async drop(tx: Transaction, projectId: string, webhookIntegrationId: string): Promise<void> {
    await this.deliveries.dropOpen(tx, projectId, webhookIntegrationId);
    await this.close(tx, projectId, webhookIntegrationId);
  }

  private async close(tx: Transaction, projectId: string, webhookIntegrationId: string): Promise<void> {
    await this.circuits.close(tx, projectId, webhookIntegrationId);
    // The type is not known here: webhooks have one cause, all other types share another.
    for (const type of ['webhook', 'http'] as const)
      await this.alerts.withdraw(tx, circuitAlert(projectId, webhookIntegrationId, type));
  }
}
