import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { noOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import { OrganizationWritesService } from '../access/organization-writes.service.js';
import { type AccessRow, accessReviewColumns, reviewed } from './access-review.js';
import type { ExportKind } from './export.dto.js';
import { type ExportFile, writeExportFile } from './export-file.js';
import { type ExportContent, type ExportFormat, type ExportRow, exportText } from './export-format.js';
import { ExportSigningService } from './export-signing.service.js';
import { ExportsRepository, type TimeRange } from './exports.repository.js';

const MAX_ROWS = 200_000;
/** Each running export holds a connection. */
const MOST_AT_ONCE = 2;
const RETRY_S = 5;

export const auditLogColumns = [
  'id',
  'occurred_at',
  'scope',
  'project_id',
  'action',
  'actor_type',
  'actor_id',
  'actor_email',
  'target_type',
  'target_id',
  'data',
] as const;

export interface ExportRequest {
  kind: ExportKind;
  format: ExportFormat;
  /** Range of audit logs. An access review always shows the present. */
  range: TimeRange;
}

async function* eachReviewed(batches: AsyncIterable<AccessRow[]>): AsyncGenerator<ExportRow[]> {
  for await (const rows of batches) yield rows.map(reviewed);
}

/** Files for auditors: the actions and permissions of an organization's people. */
@Injectable()
export class ExportsService {
  private running = 0;

  constructor(
    private readonly repository: ExportsRepository,
    private readonly signing: ExportSigningService,
    private readonly writes: OrganizationWritesService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates an export from one snapshot. The caller closes it. The audit log records the export, but the file does not
   * include that row.
   * @throws ApiError 400 for more than 200,000 rows, 503 when too many are running
   */
  async make(write: OrganizationWrite, request: ExportRequest): Promise<ExportFile> {
    if (this.running >= MOST_AT_ONCE) {
      const message = 'Too many exports are being made; try again later.';
      throw new ApiError('overloaded', message, { retryAfterS: RETRY_S });
    }
    this.running++;
    try {
      const { file, rows } = await this.database.snapshotForReading((reader) =>
        this.fileOf(reader, write.orgId, request),
      );
      await this.auditExport(write, request, file, rows).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      return file;
    } finally {
      this.running--;
    }
  }

  private async fileOf(
    reader: Reader,
    orgId: string,
    { kind, format, range }: ExportRequest,
  ): Promise<{ file: ExportFile; rows: number }> {
    const organization = await this.repository.organization(reader, orgId);
    if (!organization) throw noOrganization(orgId);
    const isLog = kind === 'audit_logs';
    const rows = isLog
      ? await this.repository.countAuditLogs(reader, orgId, range, MAX_ROWS + 1)
      : await this.repository.countAccessReview(reader, orgId, MAX_ROWS + 1);
    if (rows > MAX_ROWS) throw tooMany(kind);
    const content: ExportContent = {
      head: {
        kind,
        organization,
        generatedAt: new Date(this.clock.nowMs()),
        startTime: range.from,
        endTime: range.to,
      },
      columns: isLog ? auditLogColumns : accessReviewColumns,
      batches: isLog
        ? this.repository.auditLogs(reader, orgId, range)
        : eachReviewed(this.repository.accessReview(reader, orgId)),
    };
    return { file: await writeExportFile(exportText[format](content), this.signing.signer), rows };
  }

  private auditExport(
    write: OrganizationWrite,
    { kind, format }: ExportRequest,
    { sha256 }: ExportFile,
    rows: number,
  ): Promise<void> {
    const data = { kind, format, rows, sha256 };
    return this.writes.run(write, (tx) =>
      tx.audit({
        action: 'compliance_export_created',
        target: 'organization',
        targetId: write.orgId,
        data,
      }),
    );
  }
}

function tooMany(kind: ExportKind): ApiError {
  const limit = MAX_ROWS.toLocaleString('en');
  if (kind === 'access_review')
    return new ApiError('invalid_request', `The export would have more than ${limit} rows.`);
  const message = `The export would have more than ${limit} rows: choose a shorter time with start_time and end_time.`;
  return ApiError.parameter('start_time', message);
}
