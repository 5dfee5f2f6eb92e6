import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ExperimentStatus } from '../../../libs/targeting/index.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { longStatement } from '../../platform/database/statement.js';
import { keysetPageBy } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { Experiment } from './experiment.entity.js';

const deleteEnrollments = longStatement(
  'experiments.delete_enrollments',
  `WITH gone AS (
     DELETE FROM experiment_enrollments e WHERE e.project_id = $1 AND e.experiment_id = $2 AND e.customer_id = ANY (ARRAY(
       SELECT customer_id FROM experiment_enrollments WHERE project_id = $1 AND experiment_id = $2 LIMIT $3))
     RETURNING 1
   )
   SELECT count(*)::int AS count FROM gone`,
);

@Injectable()
export class ExperimentsRepository {
  constructor(
    @InjectRepository(Experiment) private readonly experiments: Repository<Experiment>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, experiment: Experiment): Promise<void> {
    await onTransaction(this.experiments, tx).insert(experiment);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: Experiment): Promise<void> {
    await onTransaction(this.experiments, tx).update({ projectId, id }, columns);
  }

  async setPriority(tx: Transaction, projectId: string, id: string, priority: number): Promise<void> {
    await onTransaction(this.experiments, tx).update({ projectId, id }, { priority });
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.experiments, tx).delete({ projectId, id });
  }

  /** Deletes up to `limit` enrollments of an experiment that no longer admits customers; returns how many. */
  async deleteEnrollments(
    executor: Pick<DatabaseService, 'query'> | null,
    projectId: string,
    id: string,
    limit: number,
  ): Promise<number> {
    const [row] = await (executor ?? this.database).query<{ count: number }>(deleteEnrollments, [
      projectId,
      id,
      limit,
    ]);
    return row?.count ?? 0;
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<Experiment | null> {
    return onTransaction(this.experiments, tx).findOneBy({ projectId, id });
  }

  /** Sorted by priority. */
  all(tx: Transaction, projectId: string): Promise<Experiment[]> {
    return onTransaction(this.experiments, tx).find({
      where: { projectId },
      order: { priority: 'ASC', id: 'ASC' },
    });
  }

  countIn(tx: Transaction, projectId: string, status: ExperimentStatus): Promise<number> {
    return onTransaction(this.experiments, tx).countBy({ projectId, status });
  }

  async lastPriority(tx: Transaction, projectId: string): Promise<number> {
    return (await onTransaction(this.experiments, tx).maximum('priority', { projectId })) ?? 0;
  }

  page(projectId: string, status: ExperimentStatus | null, page: PageRequest): Promise<Experiment[]> {
    const where = { projectId, ...(status !== null && { status }) };
    return keysetPageBy(this.experiments, where, page, ['priority', 'id']);
  }
}
