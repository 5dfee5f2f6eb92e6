import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import { warningsOf } from '../../targeting/experiments/experiment.policy.js';
import { ExperimentsService } from '../../targeting/experiments/experiments.service.js';
import {
  ExperimentFiguresRepository,
  type FiguresFilter,
  type VariantProductSums,
} from './experiment-figures.repository.js';
import { ExperimentFiguresService } from './experiment-figures.service.js';
import type { ExperimentResults, ResultSegment } from './experiment-results.model.js';
import { withoutPackages } from './guard-rails.policy.js';
import { checksOf } from './result-checks.policy.js';
import { variantSums } from './variant-sums.policy.js';

const OTHER = 'other';

@Injectable()
export class ExperimentResultsService {
  constructor(
    private readonly experiments: ExperimentsService,
    private readonly repository: ExperimentFiguresRepository,
    private readonly figures: ExperimentFiguresService,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * Returns figures that are at most an hour old. If they are older than 15 minutes, new ones are computed for the next
   * request.
   * @throws ApiError 404, 409
   */
  async results(projectId: string, id: string, filter: FiguresFilter): Promise<ExperimentResults> {
    const experiment = await this.experiments.get(projectId, id);
    if (experiment.status === 'draft')
      throw new ApiError('conflict', 'The experiment is a draft; it has results once it has been started.');
    await this.figures.refresh(experiment);
    const results = await this.database.snapshotForReading((reader) => this.read(reader, experiment, filter));
    const catalog = await this.catalogs.getCurrent(projectId);
    results.checks.warnings.push(...withoutPackages(warningsOf(experiment, catalog)));
    return results;
  }

  private async read(
    reader: Reader,
    experiment: Experiment,
    filter: FiguresFilter,
  ): Promise<ExperimentResults> {
    const computation = await this.repository.computation(reader, experiment);
    const rows = await this.repository.sums(reader, experiment, filter);
    const segments = await this.segments(reader, experiment, rows);
    const [total] = segments;
    const contaminated = computation?.contaminated ?? 0;
    return {
      experiment,
      segments,
      checks: checksOf(experiment, total?.variants ?? [], contaminated),
      computedAtMs: computation?.computedAt?.getTime() ?? 0,
    };
  }

  /** The total, each purchased product, and the products that no variant offers. */
  private async segments(
    reader: Reader,
    { projectId, offerings }: Experiment,
    rows: readonly VariantProductSums[],
  ): Promise<ResultSegment[]> {
    const bought = [...new Set(rows.map(({ product }) => product))].filter((id) => id !== '' && id !== OTHER);
    const products = await this.repository.productNames(reader, projectId, bought);
    const variantsOf = (product: string) => variantSums(offerings, rows, product);
    const named = products
      .map(({ id, name, storeIdentifier }) => ({ id, name: name ?? storeIdentifier }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id.localeCompare(b.id));
    const hasOther = rows.some(({ product }) => product === OTHER);
    return [
      { id: 'total', name: 'Total', variants: variantsOf('') },
      ...named.map((segment) => ({ ...segment, variants: variantsOf(segment.id) })),
      ...(hasOther ? [{ id: OTHER, name: 'Other', variants: variantsOf(OTHER) }] : []),
    ];
  }
}
