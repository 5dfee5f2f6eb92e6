import type { Chart } from './chart.model.js';
import type { Dimension } from './dimensions.js';

const PREFIX = 'custom_attribute:';

/** A dimension that one project chose, without a column in `chart_dims`. */
export type AttributeColumn = `${typeof PREFIX}${string}`;

/** Groups the values of an attribute beyond the most common ones. */
export const otherValues = 'Other';
/** Maximum number of distinct values per attribute. */
export const MAX_ATTRIBUTE_VALUES = 200;

/** Returns the attribute's name, or null for another dimension. */
export function attributeOf(id: string): string | null {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null;
}

export function isAttributeColumn(column: string): column is AttributeColumn {
  return column.startsWith(PREFIX);
}

/** Returns null for an id in another format. */
export function attributeDimension(id: string): Dimension | null {
  if (!isAttributeColumn(id)) return null;
  const name = attributeOf(id) ?? '';
  return {
    id,
    name,
    group: 'Custom attributes',
    kind: 'customer',
    column: id,
    values: null,
    filters: true,
  };
}

/** Adds the attributes that the project chose to a chart of customers or their purchases. */
export function withAttributes(chart: Chart, names: readonly string[]): Chart {
  if (names.length === 0 || !chart.filters.includes('media_source')) return chart;
  const ids = names.map((name) => PREFIX + name);
  return {
    ...chart,
    filters: [...chart.filters, ...ids],
    segments: chart.segments.length === 0 ? [] : [...chart.segments, ...ids],
  };
}
