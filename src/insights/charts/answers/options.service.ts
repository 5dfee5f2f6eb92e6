import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Chart } from '../definitions/chart.model.js';
import { type Dimension, isCustomerColumn, paywall } from '../definitions/dimensions.js';
import { isOwnSegment, ownSegments } from '../definitions/own-segments.js';
import { dimensionOf } from '../question/chart-question.js';
import { NamedObjectsService } from '../question/named-objects.service.js';
import { fixedNames, type NamedObjects, valueNames } from '../question/value-names.js';
import { dimensionSql } from './dimension-sql.js';
import { SqlValues } from './sql-values.js';

const MAX_VALUES = 200;

export interface NamedOption {
  id: string;
  name: string;
}

export interface DimensionOption extends NamedOption {
  group: string;
  values: NamedOption[];
}

function named(values: readonly string[], dimension: string, objects: NamedObjects): NamedOption[] {
  const names = valueNames(objects, dimension);
  return values.map((id) => ({ id, name: id === '' ? fixedNames.unknown : (names.get(id) ?? id) }));
}

/** The dimensions of a chart, with the project's values. */
@Injectable()
export class OptionsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly objects: NamedObjectsService,
  ) {}

  segments(chart: Chart): Omit<DimensionOption, 'values'>[] {
    return chart.segments.map((id) => {
      const { name, group } = isOwnSegment(id) ? ownSegments[id] : (dimensionOf(chart, id) as Dimension);
      return { id, name, group };
    });
  }

  async filters(projectId: string, chart: Chart, environment: string): Promise<DimensionOption[]> {
    const found = chart.filters.map((id) => dimensionOf(chart, id)).filter((dimension) => dimension !== null);
    const open = found.filter(({ values }) => values === null);
    const present = await this.present(projectId, open, environment);
    const objects = await this.objects.of(projectId, chart.filters);
    return found.map(({ id, name, group, values }) => ({
      id,
      name,
      group,
      values: named([...(values ?? present.get(id) ?? [])], id, objects),
    }));
  }

  /** Returns values by dimension, those with the most customers first. */
  private async present(
    projectId: string,
    open: Dimension[],
    environment: string,
  ): Promise<Map<string, string[]>> {
    if (open.length === 0) return new Map();
    const stored = open.filter(({ kind }) => kind !== 'view');
    const columns = stored.map(({ id, column }) => ({ id, column, isCustomer: isCustomerColumn(column) }));
    const sql = new SqlValues();
    const project = sql.add(projectId);
    const parts = columns.map(({ id, column, isCustomer }) => {
      const value = dimensionSql('k', column, sql);
      return `(SELECT ${sql.add(id)}::text AS id, ${value} AS value, sum(n.rows) AS rows
          FROM chart_dims k JOIN ${isCustomer ? 'c' : 'p'} n ON n.id = k.id
          WHERE k.project_id = ${project} AND ${value} IS NOT NULL GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT ${MAX_VALUES})`;
    });
    if (stored.length < open.length)
      parts.push(`(SELECT ${sql.add(paywall.id)}::text, v.paywall_id, count(*) FROM paywall_views v
          WHERE v.project_id = ${project} AND v.environment = ${sql.add(environment)}
          GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT ${MAX_VALUES})`);
    const text = `WITH p AS MATERIALIZED (SELECT dims_id AS id, count(*) AS rows FROM chart_payers
        WHERE project_id = ${project} AND environment = ${sql.add(environment)} GROUP BY 1),
      c AS MATERIALIZED (SELECT customer_dims_id AS id, count(*) AS rows FROM chart_customers
        WHERE project_id = ${project} GROUP BY 1)
      ${parts.join(' UNION ALL ')}`;
    const rows = await this.database.forReading.query<{ id: string; value: string }>(
      { name: 'charts.options', text, unnamed: true },
      sql.list,
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
