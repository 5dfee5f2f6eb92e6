import type { DatabaseService, Reader } from '../../src/platform/database/database.service.js';
import { longStatement } from '../../src/platform/database/statement.js';

type Row = Record<string, unknown>;
interface Keyed {
  key: string;
  row: Row;
}
interface Deleted {
  dataset: string;
  key: string;
}

const dataSets = ['transactions', 'customers', 'subscriptions'] as const;
type DataSet = (typeof dataSets)[number];

const own = `ARRAY['project_id', 'seq', 'changed_at', 'hash', 'tx_seq', 'tx_changed_at', 'tx_hash']`;
const transactionKey = `jsonb_build_object('store', t.store, 'store_transaction_id', t.store_transaction_id,
  'renewal_number', t.renewal_number, 'is_sandbox', t.is_sandbox)::text`;
const seen = `ARRAY['last_seen_at', 'last_seen_app_version']`;

const reads: Record<DataSet, string> = {
  transactions: `SELECT ${transactionKey} AS key, (to_jsonb(t) - ${own}) || jsonb_build_object(
      'updated_at', greatest(t.changed_at, c.tx_changed_at), 'original', c.original_app_user_id,
      'alias', c.last_seen_app_user_id, 'reserved', c.reserved_attributes, 'custom', c.custom_attributes,
      'platform', c.last_seen_platform, 'experiment', c.experiment_id, 'variant', c.experiment_variant,
      'first_seen', c.first_seen_at) AS row
    FROM report_transactions t JOIN report_customers c ON c.project_id = $1 AND c.customer_id = t.customer_id
    WHERE t.project_id = $1 AND greatest(t.seq, c.tx_seq) > $2 AND greatest(t.seq, c.tx_seq) <= $3`,
  customers: `SELECT jsonb_build_object('id', c.customer_id)::text AS key,
      to_jsonb(c) - ${own} - ${seen} || jsonb_build_object('updated_at', c.changed_at) AS row
    FROM report_customers c WHERE c.project_id = $1 AND c.seq > $2 AND c.seq <= $3`,
  subscriptions: `SELECT jsonb_build_object('id', s.id)::text AS key,
      to_jsonb(s) - ${own} || jsonb_build_object('updated_at', s.changed_at) AS row
    FROM report_subscriptions s WHERE s.project_id = $1 AND s.seq > $2 AND s.seq <= $3`,
};
const statements = Object.fromEntries(
  dataSets.map((name) => [name, longStatement(`test.reports.${name}`, reads[name])]),
) as Record<DataSet, ReturnType<typeof longStatement>>;
const seqOf = longStatement('test.reports.seq', 'SELECT seq FROM report_projects WHERE project_id = $1');
const deletionsOf = longStatement(
  'test.reports.deletions',
  `SELECT dataset, key::text AS key FROM report_deletions WHERE project_id = $1 AND seq > $2 AND seq <= $3`,
);

export type Contents = Record<DataSet, Map<string, Row>>;

async function readSeq(reader: Reader, projectId: string): Promise<number> {
  return Number((await reader.query<{ seq: number }>(seqOf, [projectId]))[0]?.seq ?? 0);
}

/** All rows by key, from one snapshot. */
export function fullContents(database: DatabaseService, projectId: string): Promise<Contents> {
  return database.transaction(
    async (tx) => {
      const to = await readSeq(tx, projectId);
      const contents: Contents = { transactions: new Map(), customers: new Map(), subscriptions: new Map() };
      for (const name of dataSets) {
        for (const { key, row } of await tx.query<Keyed>(statements[name], [projectId, 0, to])) {
          if (contents[name].has(key)) throw new Error(`two rows of ${name} have the key ${key}`);
          contents[name].set(key, row);
        }
      }
      return contents;
    },
    { snapshot: true },
  );
}

/** What a consumer has who applies each incremental read: first its deletions, then its rows. */
export class ReportFold {
  readonly contents: Contents = { transactions: new Map(), customers: new Map(), subscriptions: new Map() };
  private from = 0;
  /** Rows whose time moved back, or moved alone. */
  readonly wrongTimes: unknown[] = [];

  constructor(
    private readonly database: DatabaseService,
    private readonly projectId: string,
  ) {}

  read(): Promise<void> {
    return this.database.transaction(
      async (tx) => {
        const to = await readSeq(tx, this.projectId);
        const values = [this.projectId, this.from, to];
        for (const { dataset, key } of await tx.query<Deleted>(deletionsOf, values)) {
          this.contents[dataset as DataSet].delete(key);
        }
        for (const name of dataSets) {
          for (const { key, row } of await tx.query<Keyed>(statements[name], values))
            this.apply(name, key, row);
        }
        this.from = to;
      },
      { snapshot: true },
    );
  }

  private apply(name: DataSet, key: string, row: Row): void {
    const before = this.contents[name].get(key);
    const { updated_at: was, ...old } = before ?? {};
    const { updated_at: is, ...fresh } = row;
    const movedBack = before !== undefined && Date.parse(is as string) < Date.parse(was as string);
    if (movedBack) this.wrongTimes.push({ name, before, row });
    const isAlone = is !== was && JSON.stringify(old) === JSON.stringify(fresh);
    if (before !== undefined && isAlone) this.wrongTimes.push({ name, before, row });
    this.contents[name].set(key, row);
  }
}
