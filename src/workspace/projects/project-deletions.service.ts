import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';

type Step = (tx: Transaction, projectId: string) => Promise<void>;

/** Steps that other areas take in the transaction that deletes a project. Its rows are purged later. */
@Injectable()
export class ProjectDeletions {
  private readonly steps: Step[] = [];

  register(step: Step): void {
    this.steps.push(step);
  }

  async run(tx: Transaction, projectId: string): Promise<void> {
    for (const step of this.steps) await step(tx, projectId);
  }
}
