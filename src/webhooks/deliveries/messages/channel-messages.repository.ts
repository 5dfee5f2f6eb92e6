import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import * as sql from './channel-messages.sql.js';

/** An integration of a chat tool. */
export interface Channel {
  id: string;
  type: 'slack' | 'discord';
  enabled: boolean;
}

export interface ChannelMessage {
  projectId: string;
  channelId: string;
  /** The type of its event, which no integration can choose. */
  type: 'DIGEST';
  /** Two messages with the same key are one. */
  dedupeKey: string;
  environment: 'production' | 'sandbox';
  /** Fields of the event besides id, type and time. */
  content: object;
}

@Injectable()
export class ChannelMessagesRepository {
  async channel(tx: Transaction, projectId: string, id: string): Promise<Channel | null> {
    return (await tx.query<Channel>(sql.channel, [projectId, id]))[0] ?? null;
  }

  /** Returns false if the message has been recorded before. */
  async insert(
    tx: Transaction,
    { projectId, channelId, type, dedupeKey, environment, content }: ChannelMessage,
    { eventId, deliveryId }: { eventId: string; deliveryId: string },
    nowMs: number,
  ): Promise<boolean> {
    const now = new Date(nowMs);
    const head = { id: eventId, type, event_timestamp_ms: nowMs, environment: environment.toUpperCase() };
    const body = JSON.stringify({ ...head, ...content });
    const event = [projectId, now, eventId, type, dedupeKey, environment, body, channelId];
    if ((await tx.query(sql.insertEvent, event)).length === 0) return false;
    await tx.query(sql.insertDelivery, [projectId, now, deliveryId, channelId, eventId, type]);
    return true;
  }
}
