import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CustomerExportRepository, type ExportedCustomer } from './customer-export.repository.js';

/** Each export holds a connection until its client has read everything. */
const MOST_AT_ONCE = 2;
const RETRY_S = 5;

@Injectable()
export class CustomerExportService {
  private running = 0;

  constructor(
    private readonly repository: CustomerExportRepository,
    private readonly writes: ProjectWritesService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Writes a customer's data to `sink` as JSON Lines, from one snapshot: a header, the records, and a final line with
   * their number. `start` is called when there is something to write. The request itself is audited, whether or not the
   * transfer completes. Ends if the client disconnects.
   * @throws ApiError 404 before anything is written; 503 if too many exports are running
   */
  async write(write: ProjectWrite, appUserId: string, sink: Writable, start: () => void): Promise<void> {
    if (this.running >= MOST_AT_ONCE) {
      throw new ApiError('overloaded', 'Too many exports are running; try again later.', {
        retryAfterS: RETRY_S,
      });
    }
    this.running++;
    try {
      await this.auditExport(write, appUserId);
      await this.send(write.projectId, appUserId, sink, start);
    } finally {
      this.running--;
    }
  }

  private auditExport(write: ProjectWrite, appUserId: string): Promise<void> {
    return this.writes.run(write, async (tx) => {
      const customer = await this.found(tx, write.projectId, appUserId);
      await tx.audit({
        action: 'exported',
        target: 'customer',
        targetId: customer.appUserId,
      });
    });
  }

  private send(projectId: string, appUserId: string, sink: Writable, start: () => void): Promise<void> {
    return this.database.snapshotForReading(async (reader) => {
      const customer = await this.found(reader, projectId, appUserId);
      start();
      try {
        await pipeline(Readable.from(this.lines(reader, projectId, customer)), sink);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
        // A partial export has already been sent, so it must not be retried as transactions are.
        throw new Error('an export broke off', { cause: error });
      }
    });
  }

  private async *lines(
    reader: Reader,
    projectId: string,
    customer: ExportedCustomer,
  ): AsyncGenerator<string> {
    const head = {
      object: 'customer_export',
      project_id: projectId,
      customer_id: customer.appUserId,
      exported_at: this.clock.nowMs(),
    };
    yield `${JSON.stringify(head)}\n`;
    let records = 0;
    for await (const batch of this.repository.batches(reader, projectId, customer.id)) {
      records += batch.length;
      yield `${batch.join('\n')}\n`;
    }
    yield `${JSON.stringify({ object: 'customer_export.end', records })}\n`;
  }

  private async found(reader: Reader, projectId: string, appUserId: string): Promise<ExportedCustomer> {
    const customer = await this.repository.find(reader, projectId, appUserId);
    if (!customer) throw ApiError.missing('customer', appUserId);
    return customer;
  }
}
