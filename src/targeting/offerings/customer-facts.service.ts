import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CustomerFactsRepository, type StoredCustomer } from './customer-facts.repository.js';
import { type Known, KnownCustomers } from './known-customers.service.js';

/** Facts about customers, cached from earlier requests or read from the database. */
@Injectable()
export class CustomerFactsService {
  constructor(
    private readonly repository: CustomerFactsRepository,
    private readonly known: KnownCustomers,
    private readonly log: LogService,
  ) {}

  /** Returns null for an unknown customer. */
  find(projectId: string, appUserId: string, attributes: readonly string[]): Promise<StoredCustomer | null> {
    return this.repository.find(projectId, appUserId, attributes);
  }

  /** Like `find`; undefined if the customer could not be read. */
  findOrWarn(
    { projectId, targeting }: Catalog,
    appUserId: string,
  ): Promise<StoredCustomer | null | undefined> {
    return this.orWarn(this.repository.find(projectId, appUserId, targeting.attributes));
  }

  /**
   * Returns the id of the customer's own current offering; null if there is none or the customer is unknown, undefined
   * if the customer could not be read.
   */
  overrideOrWarn(projectId: string, appUserId: string): Promise<string | null | undefined> {
    return this.orWarn(this.repository.override(projectId, appUserId));
  }

  private orWarn<T>(read: Promise<T>): Promise<T | undefined> {
    return read.catch((error: unknown) => {
      this.log.warn({ err: error }, 'a customer who asks for offerings could not be read');
      return undefined;
    });
  }

  remembered(catalog: Catalog, appUserId: string): Known | null {
    return this.known.find(catalog, appUserId);
  }

  /** Read it before reading the customer, and pass it to `remember`. */
  get mark(): number {
    return this.known.mark;
  }

  remember(catalog: Catalog, appUserId: string, known: Known, mark: number): void {
    this.known.remember(catalog, appUserId, known, mark);
  }
}
