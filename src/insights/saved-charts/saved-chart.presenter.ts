import type { SavedChartDto } from './saved-chart.dto.js';
import type { SavedChart } from './saved-chart.entity.js';

export function presentSavedChart(chart: SavedChart): SavedChartDto {
  return {
    object: 'saved_chart',
    id: chart.id,
    display_name: chart.displayName,
    visibility: chart.ownerId === null ? 'project' : 'private',
    chart_name: chart.chartName,
    parameters: chart.parameters,
    position: chart.position,
    created_at: chart.createdAt.getTime(),
    updated_at: chart.updatedAt.getTime(),
  };
}
