import type { DimensionOption, NamedOption } from '../answers/options.service.js';
import type { Chart } from '../definitions/chart.model.js';
import { resolutions } from '../question/buckets.js';
import { resolutionsOf } from '../question/read-question.js';
import type { ChartOptionsDto } from './chart.dto.js';

const named = ({ id, name }: NamedOption) => ({ id, display_name: name });

export function presentOptions(
  chart: Chart,
  segments: Omit<DimensionOption, 'values'>[],
  filters: DimensionOption[],
): ChartOptionsDto {
  return {
    object: 'chart_options',
    resolutions: resolutionsOf(chart).map((resolution) => ({
      id: String(resolutions.indexOf(resolution)),
      display_name: resolution,
    })),
    segments: segments.map((segment) => ({
      object: 'chart_segment_option',
      ...named(segment),
      group_display_name: segment.group,
    })),
    filters: filters.map((filter) => ({
      object: 'chart_filter_option',
      ...named(filter),
      group_display_name: filter.group,
      options: filter.values.map(named),
    })),
    user_selectors:
      chart.selectors.length === 0
        ? null
        : Object.fromEntries(
            chart.selectors.map(({ id, name, options }) => [
              id,
              { default: options[0]?.id ?? '', display_name: name, options: options.map(named) },
            ]),
          ),
  };
}
