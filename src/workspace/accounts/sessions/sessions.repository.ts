import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import type { Executor, Transaction } from '../../../platform/database/database.js';
import { Session } from './session.entity.js';

@Injectable()
export class SessionsRepository {
  async insert(executor: Executor, session: Session): Promise<void> {
    await executor.manager.getRepository(Session).insert(session);
  }

  async delete(executor: Executor, tokenHash: Buffer): Promise<void> {
    await executor.manager.getRepository(Session).delete({ tokenHash });
  }

  async deleteOfUser(tx: Transaction, userId: string): Promise<number> {
    return (await tx.manager.getRepository(Session).delete({ userId })).affected ?? 0;
  }

  async deleteEnded(executor: Executor, now: Date): Promise<void> {
    await executor.manager.getRepository(Session).delete({ expiresAt: LessThanOrEqual(now) });
  }
}
