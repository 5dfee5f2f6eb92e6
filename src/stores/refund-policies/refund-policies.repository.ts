import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { RefundPolicy } from './refund-policy.entity.js';

@Injectable()
export class RefundPoliciesRepository {
  constructor(@InjectRepository(RefundPolicy) private readonly policies: Repository<RefundPolicy>) {}

  async insert(tx: Transaction, policy: RefundPolicy): Promise<void> {
    await onTransaction(this.policies, tx).insert(policy);
  }

  /** Changes nothing if the project has a default policy. */
  async insertDefault(policy: RefundPolicy, tx?: Transaction): Promise<void> {
    await onTransaction(this.policies, tx).createQueryBuilder().insert().values(policy).orIgnore().execute();
  }

  /** Locks the policies of a project, which has a default one. */
  async lock(tx: Transaction, projectId: string): Promise<void> {
    await onTransaction(this.policies, tx).findOneOrFail({
      where: { projectId, isDefault: true },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async update(tx: Transaction, { projectId, id, ...columns }: RefundPolicy): Promise<void> {
    await onTransaction(this.policies, tx).update({ projectId, id }, columns);
  }

  async setPosition(tx: Transaction, projectId: string, id: string, position: number): Promise<void> {
    await onTransaction(this.policies, tx).update({ projectId, id }, { position });
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.policies, tx).delete({ projectId, id });
  }

  /** Returns all policies of a project, at most 50, in order of evaluation. */
  all(projectId: string, tx?: Transaction): Promise<RefundPolicy[]> {
    return onTransaction(this.policies, tx).find({
      where: { projectId },
      order: { position: { direction: 'ASC', nulls: 'LAST' }, id: 'ASC' },
    });
  }
}
