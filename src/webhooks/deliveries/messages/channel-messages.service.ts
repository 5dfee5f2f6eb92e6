import { Injectable } from '@nestjs/common';
import { newEventId, newId } from '../../../../libs/kernel/index.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { IntegrationKey, LoggedDelivery } from '../log/delivery-log.repository.js';
import { DeliveryLogService } from '../log/delivery-log.service.js';
import { DeliveryDispatcherService } from '../delivery-dispatcher.service.js';
import {
  type Channel,
  type ChannelMessage,
  ChannelMessagesRepository,
} from './channel-messages.repository.js';

/** Messages of the product itself to channels of chat tools, as events that only one integration receives. */
@Injectable()
export class ChannelMessagesService {
  constructor(
    private readonly repository: ChannelMessagesRepository,
    private readonly dispatcher: DeliveryDispatcherService,
    private readonly log: DeliveryLogService,
  ) {}

  /** Returns null for an integration that does not exist or is no channel. Locked until the transaction ends. */
  channel(tx: Transaction, projectId: string, id: string): Promise<Channel | null> {
    return this.repository.channel(tx, projectId, id);
  }

  /** Sends a message after the commit. Returns the id of its delivery; null if it has been sent before. */
  async send(tx: Transaction, message: ChannelMessage, nowMs: number): Promise<string | null> {
    const ids = { eventId: newEventId(), deliveryId: newId('delivery', nowMs) };
    if (!(await this.repository.insert(tx, message, ids, nowMs))) return null;
    tx.afterCommit(() => this.dispatcher.wake({ projectId: message.projectId }));
    return ids.deliveryId;
  }

  /** The delivery of a message that was sent. */
  async delivery(key: IntegrationKey, id: string): Promise<LoggedDelivery> {
    const found = await this.log.find(key, id);
    if (!found) throw new Error('a delivery that was just saved is gone');
    return found.delivery;
  }
}
