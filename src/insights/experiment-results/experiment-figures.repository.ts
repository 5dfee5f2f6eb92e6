import { Injectable } from '@nestjs/common';
import { DatabaseService, type Reader, type Transaction } from '../../platform/database/database.service.js';
import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import * as sql from './experiment-figures.sql.js';
import type { VariantSums } from './result-metrics.js';

export type ResultEnvironment = 'production' | 'sandbox';

export interface FiguresFilter {
  environment: ResultEnvironment;
  /** Null selects all. */
  platforms: string[] | null;
  countries: string[] | null;
}

/** `product` is empty for all products. */
export interface VariantProductSums extends VariantSums {
  variant: string;
  product: string;
}

export interface ExperimentKey {
  projectId: string;
  experimentId: string;
}

export interface Computation {
  computedAt: Date | null;
  contaminated: number;
}

export interface SoldProductName {
  id: string;
  name: string | null;
  storeIdentifier: string;
}

@Injectable()
export class ExperimentFiguresRepository {
  constructor(private readonly database: DatabaseService) {}

  async register(now: Date): Promise<void> {
    for (const { projectId, experimentId } of await this.database.query<ExperimentKey>(sql.unregistered, [
      now,
    ]))
      await this.database.query(sql.register, [projectId, experimentId, now]);
  }

  due(now: Date, limit: number): Promise<ExperimentKey[]> {
    return this.database.query(sql.due, [now, limit]);
  }

  /** Locks an experiment until the transaction ends. Returns false if it is not due, or another process has it. */
  async claim(tx: Transaction, { projectId, experimentId }: ExperimentKey, now: Date): Promise<boolean> {
    return (await tx.query(sql.claim, [projectId, experimentId, now])).length > 0;
  }

  /** Waits for another computation of the experiment. Returns the time of the last one. */
  async lock(tx: Transaction, { projectId, id }: Experiment, now: Date): Promise<Date | null> {
    const rows = await tx.query<{ computedAt: Date | null }>(sql.lock, [projectId, id, now]);
    return rows[0]?.computedAt ?? null;
  }

  async computation(reader: Reader, { projectId, id }: Experiment): Promise<Computation | null> {
    return (await reader.query<Computation>(sql.find, [projectId, id]))[0] ?? null;
  }

  /** Schedules a computation soon. */
  async hasten({ projectId, id }: Experiment, now: Date): Promise<void> {
    await this.database.query(sql.hasten, [projectId, id, now]);
  }

  /** Replaces the figures of an experiment. `dueAt` is the next computation; null means never. */
  async compute(tx: Transaction, experiment: Experiment, now: Date, dueAt: Date | null): Promise<void> {
    const { projectId, id, weightsChangedAt, stoppedAt, offerings } = experiment;
    const products = await tx.query<{ id: string }>(sql.offeredProducts, [projectId, offerings]);
    const productIds = products.map((product) => product.id);
    await tx.query(sql.clear, [projectId, id]);
    for (const environment of ['production', 'sandbox']) {
      await tx.query(sql.compute, [projectId, id, environment, now, weightsChangedAt, stoppedAt, productIds]);
    }
    await tx.query(sql.finish, [projectId, id, now, dueAt]);
  }

  sums(
    reader: Reader,
    { projectId, id }: Experiment,
    { environment, platforms, countries }: FiguresFilter,
  ): Promise<VariantProductSums[]> {
    return reader.query(sql.sums, [projectId, id, environment, platforms, countries]);
  }

  productNames(reader: Reader, projectId: string, ids: readonly string[]): Promise<SoldProductName[]> {
    return reader.query(sql.productNames, [projectId, ids]);
  }
}
