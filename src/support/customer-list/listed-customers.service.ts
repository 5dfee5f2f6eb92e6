import { Injectable } from '@nestjs/common';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ListedCustomersRepository } from './listed-customers.repository.js';

/** Customers per transaction. */
const BATCH = 200;

/** Keeps the rows of lists up to date: those of changed customers, and of customers from before an upgrade. */
@Injectable()
export class ListedCustomersService {
  constructor(
    private readonly repository: ListedCustomersRepository,
    private readonly customers: CustomersQueryService,
    private readonly database: DatabaseService,
  ) {}

  /** Lists the project's changed customers, at most one batch. Returns false if none is left. */
  listChanged(projectId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await this.repository.lock(tx, projectId);
      const changed = await this.repository.takeChanged(tx, projectId, BATCH);
      if (changed.length > 0) await this.repository.list(tx, projectId, [...new Set(changed)]);
      return changed.length === BATCH;
    });
  }

  /** Lists one batch of the project's earlier customers. Returns false if none is left. */
  listEarlier(projectId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await this.repository.lock(tx, projectId);
      const after = await this.repository.findFill(tx, projectId);
      if (after === null) return false;
      const ids = await this.customers.idsBehind(tx, projectId, after, BATCH);
      if (ids.length > 0) await this.repository.list(tx, projectId, ids);
      const isLast = ids.length < BATCH;
      await this.repository.continueFill(tx, projectId, isLast ? null : (ids.at(-1) ?? null));
      return !isLast;
    });
  }
}
