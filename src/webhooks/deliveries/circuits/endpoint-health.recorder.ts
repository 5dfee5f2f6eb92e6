import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { type AttemptOutcome, pauseMs, verdictOf } from '../attempt-outcome.js';
import type { ClaimedDelivery } from '../deliveries.repository.js';
import { IntegrationsRepository } from '../integrations/integrations.repository.js';
import { afterFailure } from './circuit.js';
import { CircuitsRepository } from './circuits.repository.js';
import { EndpointEventsRecorder } from './endpoint-events.recorder.js';

/** Records what attempts mean for their endpoints. */
@Injectable()
export class EndpointHealthRecorder {
  constructor(
    private readonly circuits: CircuitsRepository,
    private readonly integrations: IntegrationsRepository,
    private readonly events: EndpointEventsRecorder,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Closes the circuit of an endpoint that responds again. */
  async recordSuccess(tx: Transaction, delivery: ClaimedDelivery): Promise<void> {
    const { projectId, webhookIntegrationId } = delivery;
    const wasOpen = await this.circuits.close(tx, projectId, webhookIntegrationId);
    if (wasOpen) await this.events.circuitClosed(tx, delivery);
  }

  /** Sends nothing for a while after a delivery, because the endpoint takes no more. */
  async recordPause(tx: Transaction, delivery: ClaimedDelivery, durationMs: number): Promise<void> {
    const { projectId, webhookIntegrationId } = delivery;
    const until = new Date(this.clock.nowMs() + durationMs);
    await this.circuits.pause(tx, projectId, webhookIntegrationId, until);
  }

  /** Records an attempt that delivered nothing. Locks in the same order as an update of the integration. */
  async record(tx: Transaction, delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
    const { responseStatus, reachedOut } = outcome;
    switch (verdictOf(outcome, delivery)) {
      case 'refused':
        await this.recordFailure(tx, delivery, outcome, 1);
        break;
      case 'limited':
        await this.hold(tx, delivery, outcome);
        break;
      case 'gone':
        await this.pause(tx, delivery, responseStatus);
        await this.recordFailure(tx, delivery, outcome);
        break;
      case 'retry':
        if (reachedOut) await this.recordFailure(tx, delivery, outcome);
        break;
      case 'delivered':
      case 'duplicate':
      case 'rejected':
      case 'skipped':
        await this.release(tx, delivery);
    }
  }

  /** A probe that says nothing about the endpoint leaves its place to the next one. */
  async release(
    tx: Transaction,
    { projectId, webhookIntegrationId, isProbe }: ClaimedDelivery,
  ): Promise<void> {
    if (!isProbe) return;
    await this.circuits.probeNow(tx, projectId, webhookIntegrationId, new Date(this.clock.nowMs()));
  }

  private async recordFailure(
    tx: Transaction,
    delivery: ClaimedDelivery,
    { verdict, responseStatus }: AttemptOutcome,
    threshold = this.config.webhookCircuitFailures,
  ): Promise<void> {
    const { projectId, webhookIntegrationId, isProbe } = delivery;
    const circuit = await this.circuits.lock(tx, projectId, webhookIntegrationId);
    const next = afterFailure(circuit, isProbe, threshold, this.clock.nowMs());
    await this.circuits.save(tx, projectId, webhookIntegrationId, next);
    if (circuit.openedAt === null && next.openedAt !== null) {
      const isRefused = verdict === 'refused';
      await this.events.circuitOpened(tx, delivery, { failures: next.failures, responseStatus, isRefused });
    }
  }

  private async hold(
    tx: Transaction,
    delivery: ClaimedDelivery,
    { retryAfterMs }: AttemptOutcome,
  ): Promise<void> {
    const { projectId, webhookIntegrationId } = delivery;
    const until = new Date(this.clock.nowMs() + pauseMs(retryAfterMs));
    await this.circuits.hold(tx, projectId, webhookIntegrationId, until);
    await this.release(tx, delivery);
  }

  private async pause(
    tx: Transaction,
    delivery: ClaimedDelivery,
    responseStatus: number | null,
  ): Promise<void> {
    const { projectId, webhookIntegrationId, id } = delivery;
    const isPaused = await this.integrations.pause(tx, projectId, webhookIntegrationId);
    if (!isPaused) return;
    await this.events.paused(tx, delivery, { response_status: responseStatus, delivery_id: id });
  }
}
