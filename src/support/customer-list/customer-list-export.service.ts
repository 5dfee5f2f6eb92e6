import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { csvLine } from '../../platform/http/lists/csv.js';
import { presentFilteredCustomer } from './customer-list.presenter.js';
import {
  type CustomerListItem,
  type CustomerListRequest,
  CustomerListService,
} from './customer-list.service.js';
import { MAX_COUNTED } from './listed-customers.repository.js';

const COLUMNS = [
  'app_user_id',
  'email',
  'name',
  'statuses',
  'stores',
  'spent_in_usd',
  'country',
  'platform',
  'app_version',
  'first_seen_at',
  'last_seen_at',
];

/** Downloads at once, in each process: each holds a connection for reports. */
const MOST_AT_ONCE = 2;
const RETRY_S = 5;

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function lineOf(projectId: string, item: CustomerListItem): string {
  const customer = presentFilteredCustomer(projectId, item);
  return csvLine([
    customer.id,
    customer.email,
    customer.display_name,
    customer.statuses.join(' '),
    customer.stores.join(' '),
    customer.spent_in_usd,
    customer.country,
    customer.last_seen_platform,
    customer.last_seen_app_version,
    iso(customer.first_seen_at),
    iso(customer.last_seen_at),
  ]);
}

/** Lists of customers as CSV. */
@Injectable()
export class CustomerListExportService {
  private running = 0;

  constructor(
    private readonly lists: CustomerListService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Records the export in the audit log, and passes its lines to `send`.
   * @throws ApiError 404 for an unknown product; 422 for too many customers; 503 if too many exports are running
   */
  async run(
    write: ProjectWrite,
    request: CustomerListRequest,
    send: (lines: AsyncGenerator<string>) => Promise<void>,
  ): Promise<void> {
    if (this.running >= MOST_AT_ONCE)
      throw new ApiError('overloaded', 'Too many downloads are running; try again later.', {
        retryAfterS: RETRY_S,
      });
    this.running++;
    try {
      const { projectId } = write;
      const { count, isExact } = await this.lists.count(projectId, request);
      if (!isExact)
        throw new ApiError(
          'impossible',
          `More than ${MAX_COUNTED} customers meet the filters. Add a filter.`,
        );
      await this.writes.run(write, (tx) =>
        tx.audit({
          action: 'customers_exported',
          target: 'project',
          targetId: projectId,
          data: { customers: count },
        }),
      );
      await send(this.lines(projectId, request));
    } finally {
      this.running--;
    }
  }

  private async *lines(projectId: string, request: CustomerListRequest): AsyncGenerator<string> {
    yield csvLine(COLUMNS);
    for await (const items of this.lists.batches(projectId, request)) {
      yield items.map((item) => lineOf(projectId, item)).join('');
    }
  }
}
