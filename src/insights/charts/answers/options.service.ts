import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Chart } from '../definitions/chart.model.js';
import { type Dimension, isCustomerColumn } from '../definitions/dimensions.js';
import { dimensionOf } from '../question/chart-question.js';

const MAX_VALUES = 200;

export interface NamedOption {
  id: string;
  name: string;
}

export interface DimensionOption extends NamedOption {
  group: string;
  values: NamedOption[];
}

/** The dimension of a chart, with the values that a project has. */
@Injectable()
export class OptionsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly catalogs: CatalogService,
  ) {}

  segments(chart: Chart): Omit<DimensionOption, 'values'>[] {
    return chart.segments.map((id) => {
      const { name, group } = dimensionOf(chart, id) ?? { name: 'Expiration month', group: 'Purchase' };
      return { id, name, group };
    });
  }

  async filters(projectId: string, chart: Chart, environment: string): Promise<DimensionOption[]> {
    const found = chart.filters.map((id) => dimensionOf(chart, id)).filter((dimension) => dimension !== null);
    const open = found.filter(({ values }) => values === null);
    const present = await this.present(projectId, open, environment);
    const catalog = await this.catalogs.get(projectId);
    const nameOf = ({ id }: Dimension, value: string): string => {
      if (value === '') return 'Unknown';
      if (id === 'product_id') return catalog.products.get(value)?.displayName ?? value;
      if (id === 'app_id') return catalog.apps.get(value)?.name ?? value;
      return value;
    };
    return found.map((dimension) => ({
      id: dimension.id,
      name: dimension.name,
      group: dimension.group,
      values: [...(dimension.values ?? present.get(dimension.id) ?? [])].map((value) => ({
        id: value,
        name: nameOf(dimension, value),
      })),
    }));
  }

  /** Values by dimension, those of most customers first. */
  private async present(
    projectId: string,
    open: Dimension[],
    environment: string,
  ): Promise<Map<string, string[]>> {
    if (open.length === 0) return new Map();
    const columns = open.map(({ id, column }) => ({ id, column, isCustomer: isCustomerColumn(column) }));
    const parts = columns.map(
      ({ id, column, isCustomer }) =>
        `(SELECT '${id}' AS id, k.${column} AS value, sum(n.rows) AS rows
          FROM chart_dims k JOIN ${isCustomer ? 'c' : 'p'} n ON n.id = k.id
          WHERE k.project_id = $1 AND k.${column} IS NOT NULL GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT ${MAX_VALUES})`,
    );
    const text = `WITH p AS MATERIALIZED (SELECT dims_id AS id, count(*) AS rows FROM chart_payers
        WHERE project_id = $1 AND environment = $2 GROUP BY 1),
      c AS MATERIALIZED (SELECT customer_dims_id AS id, count(*) AS rows FROM chart_customers
        WHERE project_id = $1 GROUP BY 1)
      ${parts.join(' UNION ALL ')}`;
    const rows = await this.database.forReading.query<{ id: string; value: string }>(
      { name: 'charts.options', text, unnamed: true },
      [projectId, environment],
    );
    const values = new Map<string, string[]>();
    for (const { id, value } of rows) {
      const list = values.get(id) ?? [];
      list.push(value);
      values.set(id, list);
    }
    return values;
  }
}
