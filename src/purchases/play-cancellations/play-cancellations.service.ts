import { Injectable } from '@nestjs/common';
import type { Reader, Transaction } from '../../platform/database/database.service.js';
import type { NewCancellation } from './new-cancellation.js';
import {
  type CancellationsOfDay,
  type CancellationsRange,
  PlayCancellationsRepository,
} from './play-cancellations.repository.js';

@Injectable()
export class PlayCancellationsService {
  constructor(private readonly cancellations: PlayCancellationsRepository) {}

  /** Known ones are not counted again. */
  record(tx: Transaction, projectId: string, cancellations: readonly NewCancellation[]): Promise<void> {
    return this.cancellations.record(tx, projectId, cancellations);
  }

  countByDay(snapshot: Reader, projectId: string, range: CancellationsRange): Promise<CancellationsOfDay[]> {
    return this.cancellations.countByDay(snapshot, projectId, range);
  }
}
