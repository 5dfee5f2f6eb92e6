import { isWorkerLost } from '../database-errors.js';
import { type Statement, statement } from '../statement.js';
import { distributionColumn } from './table-kinds.js';

/** While a worker is down, one statement in this time tries all workers again (ms). */
const RETRY_EVERY_MS = 5_000;

type Run = <Row>(command: Statement, values: unknown[]) => Promise<Row[]>;

const projectsOfNodes = statement(
  'citus.projects_of_nodes',
  `SELECT array_agg(p.id ORDER BY p.id) AS "projectIds" FROM projects p
   JOIN pg_dist_placement s ON s.shardid = get_shard_id_for_distribution_column('project_anchors', p.id)
   GROUP BY s.groupid`,
);

const probe = statement('citus.probe', 'SELECT 1 FROM project_anchors WHERE project_id = $1 LIMIT 1');

const narrowed = new Map<string, Statement>();

/** The statement with each distributed table limited to the projects in a last parameter. */
export function ofSomeProjects({ name, text, limitMs }: Statement, parameters: number): Statement {
  const existing = narrowed.get(name);
  if (existing) return existing;
  const limited = text.replace(
    /\b(FROM|JOIN)\s+(\w+)(\s+(?:AS )?[a-z]\w*)?/g,
    (all: string, keyword: string, table: string, alias = ` ${table}`) => {
      const column = distributionColumn(table);
      return column === null
        ? all
        : `${keyword} (SELECT * FROM ${table} WHERE ${column} = ANY ($${parameters + 1}::text[]))${alias}`;
    },
  );
  const made = { name: `${name}.reachable`, text: limited, limitMs };
  narrowed.set(name, made);
  return made;
}

/**
 * On Citus, a statement over all shards fails while one worker is down. After such a failure, and until the statement
 * over all shards succeeds again, statements across projects read the projects of the workers that answer.
 */
export class ReachableProjects {
  /** Null: all. */
  private projectIds: string[] | null = null;
  private retryAtMs = 0;

  constructor(private readonly elapsedMs: () => number = () => performance.now()) {}

  async query<Row>(command: Statement, values: unknown[], run: Run): Promise<Row[]> {
    if (this.projectIds === null || this.elapsedMs() >= this.retryAtMs) {
      this.retryAtMs = this.elapsedMs() + RETRY_EVERY_MS;
      try {
        const rows = await run<Row>(command, values);
        this.projectIds = null;
        return rows;
      } catch (error) {
        if (!isWorkerLost(error)) throw error;
        this.projectIds = await this.find(run);
      }
    }
    return run(ofSomeProjects(command, values.length), [...values, this.projectIds]);
  }

  private async find(run: Run): Promise<string[]> {
    const found: string[] = [];
    for (const { projectIds } of await run<{ projectIds: string[] }>(projectsOfNodes, [])) {
      try {
        await run(probe, projectIds.slice(0, 1));
        found.push(...projectIds);
      } catch (error) {
        if (!isWorkerLost(error)) throw error;
      }
    }
    return found;
  }
}
