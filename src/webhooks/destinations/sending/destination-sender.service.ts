import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Call,
  definitionOf,
  definitions,
  type Destination,
  type DestinationType,
  isDestinationType,
  type Plan,
  secretsOf,
  verdictOf,
  waitUntilMs,
} from '../../../../libs/destinations/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { type AttemptOutcome, notSent } from '../../deliveries/attempt-outcome.js';
import type { ClaimedDelivery } from '../../deliveries/deliveries.repository.js';
import {
  type DeliverySender,
  DeliverySendersService,
  type Freeze,
} from '../../deliveries/delivery-senders.service.js';
import type { Wait } from '../../deliveries/waiting/wait.js';
import { DestinationSettingsService } from '../settings/destination-settings.service.js';
import { type LastCall, outcomeOf, withoutCall } from './call-outcome.js';
import { DestinationCallsService } from './destination-calls.service.js';
import type { StoredCustomer } from './frozen-customer.js';
import { FrozenCustomersService, type ReadCustomer } from './frozen-customers.service.js';
import { planOf } from './planned-delivery.js';

/** Sends events to tools. The same delivery sends the same bytes in every attempt. */
@Injectable()
export class DestinationSenderService implements DeliverySender, OnModuleInit {
  constructor(
    private readonly senders: DeliverySendersService,
    private readonly settings: DestinationSettingsService,
    private readonly customers: FrozenCustomersService,
    private readonly calls: DestinationCallsService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    this.senders.register(
      definitions.map(({ id }) => id),
      this,
    );
  }

  async send(delivery: ClaimedDelivery, freeze: Freeze): Promise<AttemptOutcome | Wait> {
    const destination = this.open(delivery);
    if (!destination) return withoutCall('refused', null, 'A secret could not be read.');
    const { reads } = definitionOf(destination.type);
    const read = await this.read(delivery, reads);
    if (!read) return notSent(null, 'The customer is being deleted.');
    const plan = this.plan(delivery, destination, read.customer);
    if (!plan) return withoutCall('rejected', 'rejected', 'The event could not be built.');
    if ('wait' in plan) return this.waitOf(delivery, destination.type, read, plan);
    if ('skip' in plan)
      return withoutCall(plan.skip === 'too_large' ? 'rejected' : 'skipped', plan.skip, plan.detail ?? null);
    const frozen = await this.freeze(delivery, read.customer, freeze);
    // Another attempt may have stored its customer first.
    const stored = frozen === null ? plan : this.plan(delivery, destination, frozen);
    return stored && 'send' in stored
      ? this.perform(delivery, destination, stored.send)
      : withoutCall('rejected', 'rejected', 'The event could not be built.');
  }

  /** Null if the secrets do not open. */
  private open(delivery: ClaimedDelivery): Destination | null {
    const { webhookIntegrationId: id, type } = delivery;
    if (!isDestinationType(type)) throw new Error(`${type} is not a destination`);
    return this.settings.open({ ...delivery, id, type });
  }

  private async read(delivery: ClaimedDelivery, reads: readonly string[]): Promise<ReadCustomer | null> {
    const { customerInfo, customerId } = delivery;
    if (customerInfo === null) return this.customers.ofEvent(delivery, reads);
    return { customerId, customer: JSON.parse(customerInfo) as StoredCustomer };
  }

  /** Null if the event cannot be built, which is a fault of this server. */
  private plan(delivery: ClaimedDelivery, destination: Destination, customer: StoredCustomer): Plan | null {
    const { projectId, webhookIntegrationId: destinationId, eventId } = delivery;
    try {
      const { baseUrl } = this.config;
      return planOf(destination, delivery, customer, { baseUrl, nowMs: this.clock.nowMs() });
    } catch (error) {
      this.log.error(
        { err: error, projectId, destinationId, eventId },
        'a request of a destination cannot be built',
      );
      return null;
    }
  }

  /** Stores the customer of the first attempt. Null if it is the one that was read. */
  private async freeze(
    { customerInfo }: ClaimedDelivery,
    customer: StoredCustomer,
    freeze: Freeze,
  ): Promise<StoredCustomer | null> {
    if (customerInfo !== null) return null;
    const read = JSON.stringify(customer);
    const stored = await freeze(read);
    return stored === read ? null : (JSON.parse(stored) as StoredCustomer);
  }

  /** An attempt that was built once, or whose event has no customer, is not judged again. */
  private waitOf(
    { customerInfo, occurredAt }: ClaimedDelivery,
    type: DestinationType,
    { customerId, customer }: ReadCustomer,
    { wait, reason }: Extract<Plan, { wait: string[] }>,
  ): AttemptOutcome | Wait {
    if (customerInfo !== null || customerId === null) return withoutCall('skipped', reason, null);
    const attributes = new Map(wait.map((name) => [name, customer.attributes[name] ?? null]));
    const until = new Date(waitUntilMs(definitionOf(type), occurredAt.getTime()));
    return { verdict: 'waiting', reason, customerId, attributes, until };
  }

  private async perform(
    { stepsDone: alreadyDone }: ClaimedDelivery,
    destination: Destination,
    calls: Call[],
  ): Promise<AttemptOutcome> {
    const definition = definitionOf(destination.type);
    let last: LastCall | null = null;
    let durationMs = 0;
    for (const [step, call] of calls.entries()) {
      if (step < alreadyDone) continue;
      const result = await this.calls.perform(destination, call);
      const verdict = verdictOf(definition, result.response, step, this.clock.nowMs());
      const isDone = verdict.class === 'delivered' || verdict.class === 'duplicate';
      durationMs += result.durationMs;
      last = { result, verdict, step, stepsDone: step + (isDone ? 1 : 0), durationMs };
      if (!isDone) break;
    }
    if (!last) return withoutCall('delivered', null, null);
    return outcomeOf(definition, last, secretsOf(definition.settings, destination.settings));
  }
}
