import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ChartNote } from './chart-note.entity.js';

@Injectable()
export class ChartNotesRepository {
  constructor(@InjectRepository(ChartNote) private readonly notes: Repository<ChartNote>) {}

  async insert(tx: Transaction, note: ChartNote): Promise<void> {
    await onTransaction(this.notes, tx).insert(note);
  }

  async update(tx: Transaction, { projectId, id, date, text }: ChartNote): Promise<void> {
    await onTransaction(this.notes, tx).update({ projectId, id }, { date, text });
  }

  /** Returns false if there is no such note. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.notes, tx).delete({ projectId, id });
    return affected === 1;
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<ChartNote | null> {
    return onTransaction(this.notes, tx).findOneBy({ projectId, id });
  }

  /** Oldest first. */
  page(projectId: string, days: { start: string; end: string }, page: PageRequest): Promise<ChartNote[]> {
    return keysetPage(this.notes, { projectId, date: Between(days.start, days.end) }, page);
  }
}
