import { Injectable } from '@nestjs/common';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { ClaimedDelivery } from './deliveries.repository.js';
import type { IntegrationType } from './integrations/integration.entity.js';
import type { Wait } from './waiting/wait.js';

/** Stores the customer info of a delivery's first attempt, and returns the stored one. JSON text. */
export type Freeze = (customerInfo: string) => Promise<string>;

/** Sends the deliveries of some types of integrations. */
export interface DeliverySender {
  /** Sends a delivery once. Throws only before the request: the delivery is then sent again when its lease ends. */
  send(delivery: ClaimedDelivery, freeze: Freeze): Promise<AttemptOutcome | Wait>;
}

/** The senders of this version. Features register theirs when the application starts. */
@Injectable()
export class DeliverySendersService {
  private readonly byType = new Map<IntegrationType, DeliverySender>();

  register(types: readonly IntegrationType[], sender: DeliverySender): void {
    for (const type of types) this.byType.set(type, sender);
  }

  /** Types that this version sends to. A newer version, running beside it during an upgrade, may know more. */
  get types(): IntegrationType[] {
    return [...this.byType.keys()];
  }

  forType(type: IntegrationType): DeliverySender {
    const sender = this.byType.get(type);
    if (!sender) throw new Error(`no sender for integrations of the type ${type}`);
    return sender;
  }
}
