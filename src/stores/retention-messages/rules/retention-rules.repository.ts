import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { RetentionRule } from './retention-rule.entity.js';

@Injectable()
export class RetentionRulesRepository {
  constructor(@InjectRepository(RetentionRule) private readonly rules: Repository<RetentionRule>) {}

  async insert(tx: Transaction, rule: RetentionRule): Promise<void> {
    await onTransaction(this.rules, tx).insert(rule);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: RetentionRule): Promise<void> {
    await onTransaction(this.rules, tx).update({ projectId, id }, columns);
  }

  async setPosition(tx: Transaction, projectId: string, id: string, position: number): Promise<void> {
    await onTransaction(this.rules, tx).update({ projectId, id }, { position });
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.rules, tx).delete({ projectId, id });
  }

  /** Returns all rules of an app in order of evaluation; there are at most 50. */
  all(projectId: string, appId: string, tx?: Transaction): Promise<RetentionRule[]> {
    const order = { position: 'ASC', id: 'ASC' } as const;
    return onTransaction(this.rules, tx).find({ where: { projectId, appId }, order });
  }
}
