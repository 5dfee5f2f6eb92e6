import type { Schema } from '../../api/types.js';
import { categories, type Category, chartNamed } from '../chart-list.js';

export type ChartPreview = Schema<'ChartPreviewDto'>;

/** Whether no app showed a paywall: no chart of them has any figure. Those that are not computed yet may have some. */
function isUnused(category: Category, charts: readonly ChartPreview[]): boolean {
  return (
    category === 'paywalls' &&
    charts.every(({ measure, values }) => measure !== null && values.every(({ value }) => !value))
  );
}

/** Charts of the server that this version can show, by category. */
export function chartsIn(
  previews: readonly ChartPreview[],
): { category: Category; charts: ChartPreview[] }[] {
  return categories
    .map((category) => ({
      category,
      charts: previews.filter(({ id }) => chartNamed(id)?.category === category),
    }))
    .filter(({ category, charts }) => charts.length > 0 && !isUnused(category, charts));
}

/** Describes what the figure of a chart covers, or why there is none. */
export function coverageOf(preview: ChartPreview, range: string): string {
  const { measure, value, value_of: valueOf, resolution } = preview;
  if (measure === null) return 'a table of cohorts';
  if (value === null) return `nothing to divide by, ${range}`;
  if (valueOf === 'average') return `average per ${resolution}, ${range}`;
  return valueOf === 'latest' ? 'now' : range;
}

/** Relative change of a state from the first to the last value; null if there is none. */
export function changeOfState({ value_of: valueOf, values }: ChartPreview): number | null {
  const [first, last] = [values[0]?.value, values.at(-1)?.value];
  if (valueOf !== 'latest' || values.length < 2) return null;
  return typeof first === 'number' && first > 0 && typeof last === 'number' ? (last - first) / first : null;
}
