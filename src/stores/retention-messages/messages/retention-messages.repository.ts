import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { RetentionMessageText } from './retention-message.entity.js';

export type MessagePlace = Pick<RetentionMessageText, 'projectId' | 'appId' | 'environment'>;

@Injectable()
export class RetentionMessagesRepository {
  constructor(
    @InjectRepository(RetentionMessageText) private readonly texts: Repository<RetentionMessageText>,
  ) {}

  async insert(tx: Transaction, text: RetentionMessageText): Promise<void> {
    await onTransaction(this.texts, tx).insert(text);
  }

  async delete(tx: Transaction, { projectId, appId, environment }: MessagePlace, id: string): Promise<void> {
    await onTransaction(this.texts, tx).delete({ projectId, appId, environment, id });
  }

  all({ projectId, appId, environment }: MessagePlace): Promise<RetentionMessageText[]> {
    return this.texts.findBy({ projectId, appId, environment });
  }
}
