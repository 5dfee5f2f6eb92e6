import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { afterFailure } from './circuit.js';
import { CircuitsRepository } from './circuits.repository.js';
import type { ClaimedDelivery } from '../deliveries/deliveries.repository.js';
import { EndpointEventsRecorder } from './endpoint-events.recorder.js';

/** The endpoint reports that it is permanently gone. */
const GONE = 410;

@Injectable()
export class EndpointHealthRecorder {
  constructor(
    private readonly circuits: CircuitsRepository,
    private readonly events: EndpointEventsRecorder,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async worked(tx: Transaction, delivery: ClaimedDelivery): Promise<void> {
    const { projectId, webhookIntegrationId } = delivery;
    const wasOpen = await this.circuits.close(tx, projectId, webhookIntegrationId);
    if (wasOpen) await this.events.circuitClosed(tx, delivery);
  }

  /** Counts a failure of the endpoint. Locks in the same order as an update of the integration. */
  async failed(tx: Transaction, delivery: ClaimedDelivery, responseStatus: number | null): Promise<void> {
    if (responseStatus === GONE) await this.events.gone(tx, delivery, GONE);
    const { projectId, webhookIntegrationId, isProbe } = delivery;
    const circuit = await this.circuits.lock(tx, projectId, webhookIntegrationId);
    const next = afterFailure(circuit, isProbe, this.config.webhookCircuitFailures, this.clock.nowMs());
    await this.circuits.save(tx, projectId, webhookIntegrationId, next);
    if (circuit.openedAt === null && next.openedAt !== null) {
      await this.events.circuitOpened(tx, delivery, { failures: next.failures, responseStatus });
    }
  }
}
