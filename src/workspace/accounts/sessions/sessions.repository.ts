import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { Session } from './session.entity.js';

@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  async insert(tx: Transaction, session: Session): Promise<void> {
    await onTransaction(this.sessions, tx).insert(session);
  }

  async delete(tokenHash: Buffer): Promise<void> {
    await this.sessions.delete({ tokenHash });
  }

  async deleteOfUser(tx: Transaction, userId: string): Promise<number> {
    return (await onTransaction(this.sessions, tx).delete({ userId })).affected ?? 0;
  }

  async deleteEnded(now: Date): Promise<void> {
    await this.sessions.delete({ expiresAt: LessThanOrEqual(now) });
  }
}
