import { Injectable } from '@nestjs/common';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { ClaimedDelivery } from './deliveries.repository.js';

/** Stores the customer info of a delivery's first attempt, and returns the stored one. JSON text. */
export type Freeze = (customerInfo: string) => Promise<string>;

/** Sends the deliveries of one type of integration. */
export interface DeliverySender {
  /** Sends a delivery once. Throws only before the request: the delivery is then sent again when its lease ends. */
  send(delivery: ClaimedDelivery, freeze: Freeze): Promise<AttemptOutcome>;
}

/** The senders of this build. Features register theirs when the application starts. */
@Injectable()
export class DeliverySendersService {
  private readonly byType = new Map<string, DeliverySender>();

  register(type: string, sender: DeliverySender): void {
    this.byType.set(type, sender);
  }

  forType(type: string): DeliverySender {
    const sender = this.byType.get(type);
    if (!sender) throw new Error(`no sender for integrations of the type ${type}`);
    return sender;
  }
}
