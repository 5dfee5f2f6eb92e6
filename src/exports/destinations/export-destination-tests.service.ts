import { Injectable } from '@nestjs/common';
import {
  type FileStore,
  FileStoreError,
  testFileStore,
  type TestResult,
} from '../../../libs/file-stores/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { DestinationStoresService } from './destination-stores.service.js';
import type { TestExportDestinationDto } from './export-destination-test.dto.js';
import { ExportDestinationsService, type OpenedDestination } from './export-destinations.service.js';

const tests: RateLimit = { name: 'export_destination_tests', max: 10, windowMs: 60_000 };

/** Any name: without a pinned key, the connection ends before a name is sent. */
const PROBE_KEY = 'tenure-test';

/** Writes, reads and deletes a small file at a destination. */
@Injectable()
export class ExportDestinationTestsService {
  constructor(
    private readonly destinations: ExportDestinationsService,
    private readonly stores: DestinationStoresService,
    private readonly writes: ProjectWritesService,
    private readonly limiter: RateLimiterService,
  ) {}

  /** @throws ApiError 404; 422 if a secret cannot be read; 429 after 10 tests in a minute */
  async testSaved(write: ProjectWrite, id: string): Promise<TestResult> {
    const { projectId } = write;
    const opened = this.destinations.open(await this.destinations.get(projectId, id));
    if (!opened) throw new ApiError('impossible', 'The stored secret could not be read. Enter it again.');
    return this.test(write, opened, id);
  }

  /** @throws ApiError 400 naming the setting; 429 after 10 tests in a minute */
  async testDraft(write: ProjectWrite, body: TestExportDestinationDto): Promise<TestResult> {
    return this.test(write, await this.destinations.draft(body), body.kind);
  }

  private async test(
    write: ProjectWrite,
    destination: OpenedDestination,
    targetId: string,
  ): Promise<TestResult> {
    const { projectId } = write;
    const { allowed, resetsAt } = await this.limiter.hit(tests, projectId, projectId);
    if (!allowed) throw this.limiter.refusal('At most 10 tests a minute. Try again later.', resetsAt);
    const result = await this.performed(projectId, destination);
    await this.writes.run(write, (tx) =>
      tx.audit({
        action: 'tested',
        target: 'export_destination',
        targetId,
        data: { kind: destination.kind, ok: result.ok },
      }),
    );
    return result;
  }

  private async performed(projectId: string, destination: OpenedDestination): Promise<TestResult> {
    let store: FileStore | null = null;
    try {
      // The caller waits for the answer, and can try again.
      store = this.stores.open(projectId, destination, { retryDelaysMs: [] });
      if (destination.kind === 'sftp' && !destination.plain.host_key) await store.get(PROBE_KEY, 1);
      return await testFileStore(store, destination.prefix, () => performance.now());
    } catch (error) {
      if (!(error instanceof FileStoreError)) throw error;
      const { code, message, seenHostKey } = error;
      if (seenHostKey !== null) return { ok: false, steps: [], seenHostKey };
      return { ok: false, steps: [{ name: 'write', ok: false, duration_ms: 0, code, message }] };
    } finally {
      await store?.close();
    }
  }
}
