import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { customerHeader, customerLines } from './customer-lines.js';
import { type CustomerListRequest, CustomerListService } from './customer-list.service.js';
import { MAX_COUNTED } from './listed-customers.repository.js';

/** Downloads at once, in each process: each holds a connection for reports. */
const MOST_AT_ONCE = 2;
const RETRY_S = 5;

/** Lists of up to 10,000 customers as CSV. */
@Injectable()
export class CustomerListDownloadService {
  private running = 0;

  constructor(
    private readonly lists: CustomerListService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Records the download in the audit log, and passes its lines to `send`.
   * @throws ApiError 404 for an unknown product; 422 for too many customers; 503 if too many downloads are running
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
          `More than ${MAX_COUNTED} customers meet the filters. Add a filter, or create an export.`,
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
    yield customerHeader;
    for await (const items of this.lists.batches(projectId, request)) {
      yield customerLines(projectId, items);
    }
  }
}
