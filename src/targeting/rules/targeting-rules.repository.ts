import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { TargetingRule } from './targeting-rule.entity.js';

@Injectable()
export class TargetingRulesRepository {
  constructor(@InjectRepository(TargetingRule) private readonly rules: Repository<TargetingRule>) {}

  async insert(tx: Transaction, rule: TargetingRule): Promise<void> {
    await onTransaction(this.rules, tx).insert(rule);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: TargetingRule): Promise<void> {
    await onTransaction(this.rules, tx).update({ projectId, id }, columns);
  }

  async setPosition(tx: Transaction, projectId: string, id: string, position: number): Promise<void> {
    await onTransaction(this.rules, tx).update({ projectId, id }, { position });
  }

  /** Returns false if there is no such rule. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.rules, tx).delete({ projectId, id });
    return affected === 1;
  }

  /** Returns all rules of a project; there are at most 100. */
  all(projectId: string, tx?: Transaction): Promise<TargetingRule[]> {
    return onTransaction(this.rules, tx).findBy({ projectId });
  }
}
