import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Equal, type FindOptionsOrder, type FindOptionsWhere, IsNull, Or, Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { SavedChart } from './saved-chart.entity.js';

/** A reader of a project: a member, or null for a program that sees only what everyone sees. */
export interface ChartReader {
  projectId: string;
  memberId: string | null;
}

const boardOrder: FindOptionsOrder<SavedChart> = { position: 'ASC', createdAt: 'ASC', id: 'ASC' };

function visibleTo({ projectId, memberId }: ChartReader): FindOptionsWhere<SavedChart> & ChartKey {
  return { projectId, ownerId: memberId === null ? IsNull() : Or(IsNull(), Equal(memberId)) };
}

interface ChartKey {
  projectId: string;
}

@Injectable()
export class SavedChartsRepository {
  constructor(@InjectRepository(SavedChart) private readonly charts: Repository<SavedChart>) {}

  /** Oldest first. */
  page(reader: ChartReader, page: PageRequest): Promise<SavedChart[]> {
    return keysetPage(this.charts, visibleTo(reader), page);
  }

  /** The first charts of the reader's board. */
  board(reader: ChartReader, limit: number): Promise<SavedChart[]> {
    return this.charts.find({ where: visibleTo(reader), order: boardOrder, take: limit });
  }

  find(reader: ChartReader, id: string, tx?: Transaction): Promise<SavedChart | null> {
    return onTransaction(this.charts, tx).findOneBy({ ...visibleTo(reader), id });
  }

  /** All that the reader sees, in the order of the board, locked in one order. */
  async lockAll(tx: Transaction, reader: ChartReader): Promise<SavedChart[]> {
    const charts = onTransaction(this.charts, tx);
    await charts.find({
      select: { projectId: true, id: true },
      where: visibleTo(reader),
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return charts.find({ where: visibleTo(reader), order: boardOrder });
  }

  /** Number of charts of a member, or of those that everyone sees. */
  count(tx: Transaction, projectId: string, ownerId: string | null): Promise<number> {
    return onTransaction(this.charts, tx).countBy({ projectId, ownerId: ownerId ?? IsNull() });
  }

  async lastPosition(tx: Transaction, reader: ChartReader): Promise<number> {
    return (await onTransaction(this.charts, tx).maximum('position', visibleTo(reader))) ?? 0;
  }

  async insert(tx: Transaction, chart: SavedChart): Promise<void> {
    await onTransaction(this.charts, tx).insert(chart);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: SavedChart): Promise<void> {
    await onTransaction(this.charts, tx).update({ projectId, id }, columns);
  }

  async setPosition(tx: Transaction, projectId: string, id: string, position: number): Promise<void> {
    await onTransaction(this.charts, tx).update({ projectId, id }, { position });
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.charts, tx).delete({ projectId, id });
  }
}
