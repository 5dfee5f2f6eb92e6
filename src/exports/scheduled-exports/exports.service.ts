import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { DatabaseClockService } from '../../platform/jobs/database-clock.service.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { findDataset } from '../datasets/datasets.js';
import { ReportRowsService } from '../report-rows/report-rows.service.js';
import type { CreateExportDto, UpdateExportDto } from './export.dto.js';
import type { Export } from './export.entity.js';
import type { ExportWithLastRun } from './export.presenter.js';
import type { ExportEditor } from './export-editor.js';
import type { Schedule } from './export-schedule.js';
import { scheduleOf } from './export-schedule.policy.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportRunsService } from './runs/export-runs.service.js';

const MOST = 20;

/** Fields whose values are audited. */
const recordedFields: PlainField<Export>[] = [
  'name',
  'destinationId',
  'datasets',
  'format',
  'mode',
  'schedule',
  'environment',
  'spreadsheetSafe',
  'state',
];

@Injectable()
export class ExportsService {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly runs: ExportRunsService,
    private readonly reportRows: ReportRowsService,
    private readonly alerts: ProjectAlertsService,
    private readonly writes: ProjectWritesService,
    private readonly clock: DatabaseClockService,
  ) {}

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  async page(projectId: string, page: PageRequest): Promise<ExportWithLastRun[]> {
    const rows = await this.repository.page(projectId, page);
    const last = await this.runs.lastOf(
      projectId,
      rows.map(({ id }) => id),
    );
    return rows.map((found) => ({ found, lastRun: last.get(found.id) ?? null }));
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<ExportWithLastRun> {
    const row = found(await this.repository.find({ projectId, id }), id);
    return this.withLastRun(row);
  }

  /** Null for an unknown export. */
  projectOf(id: string): Promise<string | null> {
    return this.repository.projectOf(id);
  }

  /** @throws ApiError 404 for an unknown destination; 400 naming the field; 422 for too many exports */
  async create(write: ProjectWrite, editor: ExportEditor, body: CreateExportDto): Promise<ExportWithLastRun> {
    const { projectId } = write;
    const schedule = await this.checkedSchedule(body);
    assertDatasets(body.datasets ?? []);
    return this.writes.run(write, async (tx) => {
      if ((await this.repository.count(tx, projectId)) >= MOST)
        throw new ApiError('impossible', `A project has at most ${MOST} exports.`);
      const nowMs = tx.nowMs();
      const created: Export = {
        projectId,
        id: newId('export', nowMs),
        name: body.name,
        destinationId: body.destination_id,
        datasets: body.datasets,
        format: body.format,
        mode: body.mode ?? 'incremental',
        schedule,
        environment: body.environment ?? 'production',
        spreadsheetSafe: body.spreadsheet_safe ?? false,
        state: body.state ?? 'active',
        nextDueAt: null,
        cursors: null,
        resets: 0,
        consecutiveFailures: 0,
        editorKind: editor.kind,
        editorId: editor.id,
        createdAt: new Date(nowMs),
        updatedAt: new Date(nowMs),
      };
      created.nextDueAt = await this.nextDueAt(tx, created);
      if (!(await this.repository.insert(tx, created))) throw withoutDestination(body.destination_id);
      await this.reportRows.enable(tx, projectId);
      await tx.audit({ action: 'created', target: 'export', targetId: created.id });
      return { found: created, lastRun: null };
    });
  }

  /**
   * Absent fields stay unchanged. A run that is going on continues with the settings it started with.
   * @throws ApiError 404, and those of `create`
   */
  async update(
    write: ProjectWrite,
    editor: ExportEditor,
    id: string,
    body: UpdateExportDto,
  ): Promise<ExportWithLastRun> {
    const { projectId } = write;
    const schedule = await this.checkedSchedule(body);
    assertDatasets(body.datasets ?? []);
    const changed = await this.writes.run(write, async (tx) => {
      const before = found(await this.repository.lock(tx, { projectId, id }), id);
      const after: Export = {
        ...before,
        name: body.name ?? before.name,
        destinationId: body.destination_id ?? before.destinationId,
        datasets: body.datasets ?? before.datasets,
        format: body.format ?? before.format,
        mode: body.mode ?? before.mode,
        schedule: schedule ?? before.schedule,
        environment: body.environment ?? before.environment,
        spreadsheetSafe: body.spreadsheet_safe ?? before.spreadsheetSafe,
        state: body.state ?? before.state,
        editorKind: editor.kind,
        editorId: editor.id,
        updatedAt: new Date(tx.nowMs()),
      };
      if (schedule !== null || after.state !== before.state)
        after.nextDueAt = await this.nextDueAt(tx, after);
      if (!(await this.repository.update(tx, { projectId, id }, after)))
        throw withoutDestination(after.destinationId);
      const data = auditChanges(before, after, recordedFields);
      await tx.audit({ action: 'updated', target: 'export', targetId: id, data });
      return after;
    });
    return this.withLastRun(changed);
  }

  /** Cancels a run that is going on. Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, id: string): Promise<number> {
    const key = { projectId: write.projectId, id };
    return this.writes.run(write, async (tx) => {
      found(await this.repository.lock(tx, key), id);
      await this.runs.cancelOpen(tx, key);
      await this.repository.delete(tx, key);
      await this.alerts.withdraw(tx, { projectId: key.projectId, cause: 'export_failing', subjectId: id });
      await tx.audit({ action: 'deleted', target: 'export', targetId: id });
      return tx.nowMs();
    });
  }

  /** Forgets what was delivered: the next run is full. @throws ApiError 404 */
  async reset(write: ProjectWrite, id: string): Promise<ExportWithLastRun> {
    const key = { projectId: write.projectId, id };
    const changed = await this.writes.run(write, async (tx) => {
      const before = found(await this.repository.lock(tx, key), id);
      const changes = { cursors: null, resets: before.resets + 1 };
      await this.repository.update(tx, key, changes);
      await tx.audit({ action: 'reset', target: 'export', targetId: id });
      return { ...before, ...changes };
    });
    return this.withLastRun(changed);
  }

  private async withLastRun(row: Export): Promise<ExportWithLastRun> {
    const last = await this.runs.lastOf(row.projectId, [row.id]);
    return { found: row, lastRun: last.get(row.id) ?? null };
  }

  private nextDueAt(tx: Transaction, { state, schedule }: Export): Promise<Date | null> {
    if (state === 'paused') return Promise.resolve(null);
    return this.repository.nextDueAt(tx, schedule, new Date(this.clock.nowMs()));
  }

  /** Null if the body has none. @throws ApiError 400 */
  private async checkedSchedule(body: CreateExportDto): Promise<Schedule>;
  private async checkedSchedule(body: UpdateExportDto): Promise<Schedule | null>;
  private async checkedSchedule({ schedule: given }: UpdateExportDto): Promise<Schedule | null> {
    if (!given) return null;
    const schedule = scheduleOf(given);
    const zone = 'time_zone' in schedule ? schedule.time_zone : null;
    if (zone !== null && !(await this.repository.isKnownZone(zone)))
      throw ApiError.parameter(
        'schedule.time_zone',
        `The database does not know the time zone ${JSON.stringify(zone)}.`,
      );
    return schedule;
  }
}

/** @throws ApiError 400 */
function assertDatasets(chosen: UpdateExportDto['datasets'] & object): void {
  for (const [index, { name, version }] of chosen.entries()) {
    if (!findDataset(name, version))
      throw ApiError.parameter('datasets', `There is no version ${version} of the data set ${name}.`);
    if (chosen.findIndex((other) => other.name === name) !== index)
      throw ApiError.parameter('datasets', `datasets has ${name} twice.`);
  }
}

function withoutDestination(id: string): ApiError {
  return ApiError.missing('export destination', id, 'destination_id');
}

/** @throws ApiError 404 */
function found(row: Export | null, id: string): Export {
  if (!row) throw ApiError.missing('export', id);
  return row;
}
