import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { ProjectsService } from '../../../workspace/projects/projects.service.js';
import { withAttributes } from '../definitions/attribute-dimensions.js';
import type { Chart } from '../definitions/chart.model.js';
import { chartNames, chartOfName, charts, isChartElsewhere } from '../definitions/charts.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { readQuery } from '../../../platform/http/lists/query-parameters.js';
import { type ChartPreviewsQuery, ChartQuery } from '../question/charts.query.js';
import { NamedObjectsService } from '../question/named-objects.service.js';
import { readQuestion } from '../question/read-question.js';
import { valueNames } from '../question/value-names.js';

/** @throws ApiError 400 */
function chartNamed(name: string): Chart {
  const chart = chartOfName(name);
  if (chart) return chart;
  if (isChartElsewhere(name)) {
    throw ApiError.parameter(
      'chart_name',
      `The chart ${JSON.stringify(name)} is not available on this server.`,
    );
  }
  throw ApiError.parameter('chart_name', `chart_name must be one of ${chartNames.join(', ')}.`);
}

/** Turns requests into questions. */
@Injectable()
export class ChartQuestionsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly objects: NamedObjectsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400, or 404 for the project */
  async read(projectId: string, name: string, query: ChartQuery): Promise<ChartQuestion> {
    const named = chartNamed(name);
    const { weekStartsOn, chartAttributes } = await this.projects.get(projectId);
    const chart = withAttributes(named, chartAttributes);
    const objects = query.segment === null ? null : await this.objects.of(projectId, [query.segment]);
    const namesOf = (dimension: string): ReadonlyMap<string, string> =>
      objects ? valueNames(objects, dimension) : new Map<string, string>();
    return readQuestion({ projectId, chart, nowMs: this.clock.nowMs(), weekStartsOn, namesOf }, query);
  }

  /**
   * Returns a function that reads questions without segments, whose parameters may depend on the chart. It throws
   * ApiError 400.
   * @throws ApiError 404 for the project
   */
  async reader(
    projectId: string,
  ): Promise<(name: string, queryOf: (chart: Chart) => ChartQuery) => ChartQuestion> {
    const { weekStartsOn, chartAttributes } = await this.projects.get(projectId);
    const asked = {
      projectId,
      nowMs: this.clock.nowMs(),
      weekStartsOn,
      namesOf: () => new Map<string, string>(),
    };
    return (name, queryOf) => {
      const chart = withAttributes(chartNamed(name), chartAttributes);
      return readQuestion({ ...asked, chart }, queryOf(chart));
    };
  }

  /** Reads one question for each chart. @throws ApiError 400, or 404 for the project */
  async readAll(projectId: string, query: ChartPreviewsQuery): Promise<ChartQuestion[]> {
    const { weekStartsOn } = await this.projects.get(projectId);
    const asked = {
      projectId,
      nowMs: this.clock.nowMs(),
      weekStartsOn,
      namesOf: () => new Map<string, string>(),
    };
    const others = readQuery(ChartQuery, {});
    return charts.map((chart) => readQuestion({ ...asked, chart }, { ...others, ...query }));
  }

  /** Returns a chart with the project's chosen attributes. @throws ApiError 400, or 404 for the project */
  async chartOf(projectId: string, name: string): Promise<Chart> {
    const chart = chartNamed(name);
    return withAttributes(chart, (await this.projects.get(projectId)).chartAttributes);
  }
}
