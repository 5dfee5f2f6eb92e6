import { Injectable } from '@nestjs/common';
import { utcDayMs } from '../../../../libs/kernel/index.js';
import type { SeriesChart } from '../definitions/chart.model.js';
import { type DimensionColumn, isCustomerColumn } from '../definitions/dimensions.js';
import {
  customerFigures,
  type CustomerFigure,
  type Figure,
  isCountedFigure,
  isViewFigure,
  viewFigures,
} from '../definitions/figures.js';
import { bucketsBetween } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { cohortSumsOf, cohortSumsQuery } from './cohort-sums-query.js';
import { ChartRollupRepository } from '../rollup/chart-rollup.repository.js';
import { ChartRatesService, type Rates } from './chart-rates.service.js';
import { SegmentSums } from './chart-sums.js';
import { cohortQuery, customerQuery, isOfCohorts } from './customer-query.js';
import { allCustomers, type Piece, type PieceReader } from './pieces.js';
import { largest, totalSegment } from './segments.js';
import { type FactFigure, hasStoredSums, pendingTrialsQuery, seriesQuery } from './series-query.js';
import type { Query } from './sql-values.js';
import type { NamedSums } from './series-values.js';
import { viewQuery } from './view-query.js';

type Row = { bucket: string | null; seg: string | null } & Partial<Record<Figure, number>>;

const isCustomerFigure = (figure: Figure): figure is CustomerFigure =>
  (customerFigures as readonly string[]).includes(figure);

/** Figures that count distinct customers, who may be in several segments. */
const distinct: readonly Figure[] = ['paying', 'converting', ...viewFigures];

/** Sums the figures of time-series charts. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly rates: ChartRatesService,
    private readonly rollup: ChartRollupRepository,
  ) {}

  /** Returns the total, then the largest segments and the rest. */
  async sum(reader: PieceReader, chart: SeriesChart, question: ChartQuestion): Promise<NamedSums[]> {
    const segment =
      question.segment === null || typeof question.segment === 'string' ? null : question.segment;
    const rates = this.rates.perUsd(question.currency);
    const bySegment = await this.read(reader, chart, question, segment?.column ?? null, rates);
    const total = new SegmentSums();
    for (const sums of bySegment.values()) total.addAll(sums);
    if (segment && !isCustomerColumn(segment.column)) {
      await this.countOnce(reader, chart, question, rates, bySegment, total);
    }
    const rows: NamedSums[] = [{ ...totalSegment, sums: total }];
    if (segment) {
      const [first] = chart.measures(question.selected);
      const buckets = bucketsBetween(question.startMs, question.endMs, question.calendar);
      const sizeOf = (sums: SegmentSums): number => {
        const { total: whole } = sums.over(buckets);
        if (!first) return 0;
        return chart.time === 'stock' ? first.value({ ...whole, flow: whole.end }) : first.value(whole);
      };
      const sizes = segment && chart.flows.includes('customers') && !isCustomerColumn(segment.column);
      const byFigure = chart.flows[1] ?? 'customers';
      rows.push(
        ...largest(bySegment, question, (sums) =>
          sizes ? sums.over(buckets).total.flow(byFigure) : sizeOf(sums),
        ),
      );
      const other = rows.find(({ isOther }) => isOther);
      if (other && countsOnce(chart) && !isCustomerColumn(segment.column)) {
        const shown = new Set(rows.flatMap(({ id, isTotal, isOther }) => (isTotal || isOther ? [] : [id])));
        // A customer may first have seen one of the other paywalls before the range.
        const isNegated = segment.column === 'paywall';
        const values = isNegated ? [...shown] : [...bySegment.keys()].filter((id) => !shown.has(id));
        const filters = [...question.filters, { dimension: segment, values, isNegated }];
        const rest = await this.read(reader, chart, { ...question, filters }, null, rates);
        other.sums = rest.get('') ?? new SegmentSums();
      }
    }
    return rows;
  }

  private async read(
    reader: PieceReader,
    chart: SeriesChart,
    question: ChartQuestion,
    segment: DimensionColumn | null,
    rates: Rates | null,
  ): Promise<Map<string, SegmentSums>> {
    const { whole } = reader;
    const bySegment = new Map<string, SegmentSums>();
    const adding =
      (figures: readonly Figure[]) =>
      ({ bucket, seg, ...row }: Row): void => {
        const bucketMs = bucket === null ? null : utcDayMs(bucket);
        const sums = bySegment.get(seg ?? '') ?? new SegmentSums();
        bySegment.set(seg ?? '', sums);
        for (const figure of figures) sums.add(bucketMs, figure, (row as Row)[figure] ?? 0);
      };
    const sizeOf = (): number => [...bySegment.values()].reduce((size, sums) => size + sums.size, 0);
    const readSums = async ({ statement, values }: Query, figures: readonly Figure[]): Promise<void> =>
      (await whole.query<Row>(statement, values)).forEach(adding(figures));
    const readCustomers = (queryOf: (piece: Piece) => Query, figures: readonly Figure[]): Promise<void> =>
      reader.read(queryOf, adding(figures), sizeOf);
    const facts = (list: readonly Figure[]): FactFigure[] =>
      list.filter(
        (figure): figure is FactFigure =>
          !isCustomerFigure(figure) &&
          !isViewFigure(figure) &&
          !isCountedFigure(figure) &&
          figure !== 'pending_trials',
      );
    const [flows, stocks] = [facts(chart.flows), facts(chart.stocks)];
    if (flows.length + stocks.length > 0) {
      const days = await this.rollup.storedDays(whole, question.projectId, question.environment);
      const queryOf = (piece: Piece): Query =>
        seriesQuery(question, segment, { flows, stocks }, days, rates, piece);
      const figures = [...flows, ...stocks];
      if (hasStoredSums(question, segment, days)) await readSums(queryOf(allCustomers), figures);
      else await readCustomers(queryOf, figures);
    }
    if (chart.flows.includes('pending_trials')) {
      await readCustomers((piece) => pendingTrialsQuery(question, segment, piece), ['pending_trials']);
    }
    const ofCustomers = chart.flows.filter(isCustomerFigure);
    const cohorts =
      ofCustomers.length > 0 ? await this.rollup.storedCohorts(whole, question.projectId) : null;
    for (const figure of ofCustomers) {
      const sums = cohortSumsOf(figure, question, segment);
      if (cohorts?.hasCohorts && isOfCohorts(figure, question, segment))
        await readSums(cohortQuery(figure, question, rates), [figure]);
      else if (sums && cohorts?.levels.includes(sums.level))
        await readSums(cohortSumsQuery(question, sums), [figure]);
      else await readCustomers((piece) => customerQuery(figure, question, segment, rates, piece), [figure]);
    }
    const ofViews = chart.flows.filter(isViewFigure);
    if (ofViews.length > 0)
      await readCustomers((piece) => viewQuery(ofViews, question, segment, rates, piece), ofViews);
    return bySegment;
  }

  /**
   * Corrects figures of customers in several segments: the total counts each once, and every segment is a share of all.
   */
  private async countOnce(
    reader: PieceReader,
    chart: SeriesChart,
    question: ChartQuestion,
    rates: Rates | null,
    bySegment: Map<string, SegmentSums>,
    total: SegmentSums,
  ): Promise<void> {
    if (!countsOnce(chart)) return;
    const whole = (await this.read(reader, chart, question, null, rates)).get('') ?? new SegmentSums();
    for (const figure of chart.flows) total.replaceWith(figure, whole);
    if (!chart.flows.includes('customers')) return;
    // The row without a segment may contain only new customers, without any purchase.
    const hasUnknown = chart.flows.some(
      (figure) => figure !== 'customers' && hasFigure(bySegment.get(''), figure),
    );
    if (!hasUnknown) bySegment.delete('');
    for (const sums of bySegment.values()) sums.replaceWith('customers', whole);
  }
}

/** Whether sums over segments count customers more than once. */
export function countsOnce({ flows }: SeriesChart): boolean {
  return flows.some((figure) => distinct.includes(figure) || figure === 'customers');
}

function hasFigure(sums: SegmentSums | undefined, figure: Figure): boolean {
  return sums?.has(figure) ?? false;
}
