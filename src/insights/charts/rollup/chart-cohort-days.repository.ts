import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { StoredStart } from '../cohorts/cohort-member.js';
import {
  cohortDayHash,
  customerStarts,
  deleteCohortDays,
  haveCohortDays,
  sumCohortDays,
} from './cohort-days.sql.js';

/** Past days by the first days of their customers. A day is replaced whole. The project must be locked. */
@Injectable()
export class ChartCohortDaysRepository {
  /** Returns the stored first days of customers. */
  startsOf(tx: Transaction, projectId: string, customerIds: string[]): Promise<StoredStart[]> {
    return tx.query<StoredStart>(customerStarts, [projectId, customerIds]);
  }

  async replace(
    tx: Transaction,
    projectId: string,
    days: readonly { environment: string; day: string }[],
  ): Promise<void> {
    const values = [projectId, days.map(({ environment }) => environment), days.map(({ day }) => day)];
    await tx.query(deleteCohortDays, values);
    await tx.query(sumCohortDays, values);
  }

  /** Notes that all past days are summed. */
  async noteAllSummed(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(haveCohortDays, [projectId]);
  }

  /** Returns a hash of the rows of a day. */
  async hashOf(
    tx: Transaction,
    projectId: string,
    { environment, day }: { environment: string; day: string },
  ): Promise<string> {
    const [row] = await tx.query<{ sums: string }>(cohortDayHash, [projectId, environment, day]);
    return row?.sums ?? '';
  }
}
