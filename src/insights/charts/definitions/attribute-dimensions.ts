import type { Chart } from './chart.model.js';
import type { Dimension } from './dimensions.js';

const PREFIX = 'custom_attribute:';

/** A dimension of one project, which is no column of `chart_dims`. */
export type AttributeColumn = `${typeof PREFIX}${string}`;

/** Values beyond the first ones of an attribute. */
export const otherValues = 'Other';
/** Different values of an attribute that are told apart. */
export const MAX_ATTRIBUTE_VALUES = 200;

/** The name of the attribute, or null for another dimension. */
export function attributeOf(id: string): string | null {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null;
}

export function isAttributeColumn(column: string): column is AttributeColumn {
  return column.startsWith(PREFIX);
}

/** Null for an id of another form. */
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

/** A chart as a project has it that chose attributes. */
export function withAttributes(chart: Chart, names: readonly string[]): Chart {
  if (names.length === 0) return chart;
  const ids = names.map((name) => PREFIX + name);
  return {
    ...chart,
    filters: [...chart.filters, ...ids],
    segments: chart.segments.length === 0 ? [] : [...chart.segments, ...ids],
  };
}
