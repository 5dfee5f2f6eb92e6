import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ChartsService } from '../charts/answers/charts.service.js';
import { ChartQuestionsService } from '../charts/routes/chart-questions.service.js';
import type { CreateSavedChartDto, UpdateSavedChartDto } from './saved-chart.dto.js';
import type { SavedChart } from './saved-chart.entity.js';
import {
  chartQueryOf,
  inParameters,
  readParameters,
  type SavedParameters,
} from './saved-parameters.policy.js';
import { type ChartReader, SavedChartsRepository } from './saved-charts.repository.js';

const MAX_SHARED = 200;
const MAX_PRIVATE = 50;

/** Questions to charts that a project or one of its members has saved. */
@Injectable()
export class SavedChartsService {
  constructor(
    private readonly repository: SavedChartsRepository,
    private readonly questions: ChartQuestionsService,
    private readonly charts: ChartsService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  page(reader: ChartReader, page: PageRequest): Promise<SavedChart[]> {
    return this.repository.page(reader, page);
  }

  /** @throws ApiError 404, also for a private chart of another member */
  async get(reader: ChartReader, id: string): Promise<SavedChart> {
    return found(await this.repository.find(reader, id), id);
  }

  /** @throws ApiError 400 for an invalid question or a private chart of a program, 422 for too many charts */
  async create(
    write: ProjectWrite,
    memberId: string | null,
    { display_name, chart_name, parameters = {}, visibility = 'project' }: CreateSavedChartDto,
  ): Promise<SavedChart> {
    const { projectId } = write;
    const isPrivate = visibility === 'private';
    if (isPrivate && memberId === null)
      throw ApiError.parameter('visibility', 'Only a member of the project can have private charts.');
    const question = await this.readQuestion(projectId, chart_name, parameters);
    const ownerId = isPrivate ? memberId : null;
    return this.writes.run(write, async (tx) => {
      const most = isPrivate ? MAX_PRIVATE : MAX_SHARED;
      if ((await this.repository.count(tx, projectId, ownerId)) >= most) {
        const whose = isPrivate ? 'A member has at most 50 private' : 'A project has at most 200';
        throw new ApiError('impossible', `${whose} saved charts.`);
      }
      const now = new Date(tx.nowMs());
      const chart: SavedChart = {
        projectId,
        id: newId('savedChart', now.getTime()),
        ownerId,
        displayName: display_name,
        ...question,
        position: (await this.repository.lastPosition(tx, { projectId, memberId })) + 1,
        createdAt: now,
        updatedAt: now,
      };
      await this.repository.insert(tx, chart);
      await tx.audit({ action: 'created', target: 'saved_chart', targetId: chart.id });
      return chart;
    });
  }

  /** Absent fields stay unchanged; `parameters` replaces all. @throws ApiError 400 for an invalid question, 404 */
  async update(
    write: ProjectWrite,
    memberId: string | null,
    id: string,
    body: UpdateSavedChartDto,
  ): Promise<SavedChart> {
    const { projectId } = write;
    const reader = { projectId, memberId };
    const present = await this.get(reader, id);
    const { chart_name = present.chartName, parameters = present.parameters } = body;
    const isSame = body.chart_name === undefined && body.parameters === undefined;
    const question = isSame ? {} : await this.readQuestion(projectId, chart_name, { ...parameters });
    return this.writes.run(write, async (tx) => {
      const before = found(await this.repository.find(reader, id, tx), id);
      const chart: SavedChart = {
        ...before,
        displayName: body.display_name ?? before.displayName,
        ...question,
        updatedAt: new Date(tx.nowMs()),
      };
      await this.repository.update(tx, chart);
      // Filters may name people, and names of private charts are the member's own.
      const data = auditChanges(before, chart, ['chartName']);
      await tx.audit({ action: 'updated', target: 'saved_chart', targetId: id, data });
      return chart;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, memberId: string | null, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      found(await this.repository.find({ projectId, memberId }, id, tx), id);
      await this.repository.delete(tx, projectId, id);
      await tx.audit({ action: 'deleted', target: 'saved_chart', targetId: id });
      return tx.nowMs();
    });
  }

  /**
   * Places charts before the others. Returns all that the caller sees, in order.
   * @throws ApiError 400 for a chart named twice, 404 for an unknown one
   */
  reorder(write: ProjectWrite, memberId: string | null, ids: readonly string[]): Promise<SavedChart[]> {
    const { projectId } = write;
    if (new Set(ids).size < ids.length)
      throw ApiError.parameter('saved_chart_ids', 'saved_chart_ids must name each chart once.');
    return this.writes.run(write, async (tx) => {
      const all = await this.repository.lockAll(tx, { projectId, memberId });
      const unknown = ids.find((id) => !all.some((chart) => chart.id === id));
      if (unknown !== undefined) throw ApiError.missing('saved chart', unknown, 'saved_chart_ids');
      const place = new Map(ids.map((id, index) => [id, index]));
      const ordered = all
        .toSorted((a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity) || 0)
        .map((chart, index) => ({ ...chart, position: index + 1 }));
      for (const { id, position } of ordered) {
        if (all.find((chart) => chart.id === id)?.position !== position)
          await this.repository.setPosition(tx, projectId, id, position);
      }
      const data = {
        saved_chart_ids: [...ids],
        ...auditChanges(idsOf(all), idsOf(ordered), ['savedChartIds']),
      };
      await tx.audit({ action: 'reordered', target: 'saved_chart', targetId: projectId, data });
      return ordered;
    });
  }

  /** @throws ApiError 400 naming the chart or the parameter, as the route of the chart does */
  private async readQuestion(
    projectId: string,
    name: string,
    given: Record<string, unknown>,
  ): Promise<{ chartName: string; parameters: SavedParameters }> {
    const parameters = readParameters(given);
    const { id: chartName, table } = await this.questions.chartOf(projectId, name);
    const isCohorts = table === 'retention' || table === 'explorer';
    const query = chartQueryOf(parameters, { isCohorts, todayMs: this.clock.nowMs() });
    try {
      const question = await this.questions.read(projectId, chartName, query);
      this.charts.assertAnswerable(question);
      const { chart, selected } = question;
      const measures = chart.table === 'series' ? chart.measures(selected).map(({ id }) => id) : null;
      const { shown } = parameters;
      if (shown !== undefined && measures && !measures.includes(shown))
        throw ApiError.parameter('shown', `shown must be one of ${measures.join(', ')}.`);
    } catch (error) {
      throw inParameters(error);
    }
    return { chartName, parameters };
  }
}

const idsOf = (charts: readonly SavedChart[]) => ({ savedChartIds: charts.map(({ id }) => id) });

/** @throws ApiError 404 */
function found(chart: SavedChart | null, id: string): SavedChart {
  if (!chart) throw ApiError.missing('saved chart', id);
  return chart;
}
