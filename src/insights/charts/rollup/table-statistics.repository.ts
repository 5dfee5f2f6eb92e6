import { Injectable } from '@nestjs/common';
import { DatabaseService, type Reader } from '../../../platform/database/database.service.js';
import { longStatement, statement } from '../../../platform/database/statement.js';

/** Changed rows that are worth new statistics. */
const MIN_CHANGED = 1_000;

/** More rows have changed than PostgreSQL knows of. */
const hasGrown = statement(
  'charts.statistics_are_old',
  `SELECT EXISTS (SELECT 1 FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.schemaname = current_schema() AND s.relname = ANY ('{chart_facts,chart_dims}')
       AND s.n_mod_since_analyze > greatest(c.reltuples, ${MIN_CHANGED})) AS "hasGrown"`,
);

const analyze = longStatement('charts.analyze', 'ANALYZE chart_facts, chart_dims');

/**
 * Statistics of the tables that a day is summed from. PostgreSQL collects them within a minute or so; right after a bulk
 * import it would choose plans for empty tables, which can take minutes instead of milliseconds.
 */
@Injectable()
export class TableStatisticsRepository {
  constructor(private readonly database: DatabaseService) {}

  async hasGrown(reader: Reader): Promise<boolean> {
    const [row] = await reader.query<{ hasGrown: boolean }>(hasGrown, []);
    return row?.hasGrown ?? false;
  }

  async analyze(): Promise<void> {
    await this.database.query(analyze, []);
  }
}
