import { Injectable } from '@nestjs/common';
import type { PurchaseReport } from '../../../libs/external-reports/index.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { ExternalPurchaseReportEntity } from './external-purchase-report.entity.js';
import { cleanUp, deletionOf } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

/** Reports about a purchase are kept for seven years after its last one. */
export const REPORTS_KEPT_MS = 7 * 365.25 * 86_400_000;

export type ReportRow = Omit<ExternalPurchaseReportEntity, 'projectId'>;

export interface IncompletePurchase {
  purchaseKey: string;
  tokenId: string;
}

export interface RefusedReport {
  appId: string;
  /** The answer of the store. */
  message: string;
  createdAt: Date;
}

/** Reports of an app in one state that are not sent. */
export interface WaitingReports {
  appId: string;
  state: 'due' | 'needs_tax' | 'needs_token' | 'needs_data' | 'manual';
  count: number;
}

/** A planned report, before it has an answer. */
export type SavedReport = Omit<PurchaseReport, 'event'> & Pick<ReportRow, 'event'>;

/** Null fields do not filter. */
export interface ReportFilter {
  state: string | null;
  appId: string | null;
  store?: string | null;
  /** Start and end of a month of charges. */
  from: Date | null;
  until: Date | null;
}

const columns = `r.id, r.token_id AS "tokenId", r.app_id AS "appId", r.store, r.environment,
  r.purchase_key AS "purchaseKey", r.position, r.source_key AS "sourceKey", r.event,
  r.request_identifier AS "requestIdentifier", r.items, r.body, r.state, r.reason, r.store_answer AS "storeAnswer",
  r.created_at AS "createdAt", r.sent_at AS "sentAt"`;

const ofPurchase = statement(
  'external_purchase_reports.of_purchase',
  `SELECT ${columns} FROM external_purchase_reports r WHERE r.project_id = $1 AND r.purchase_key = $2
   ORDER BY r.position`,
);

/** Ledger rows that have a report keep it. */
const save = statement(
  'external_purchase_reports.save',
  `INSERT INTO external_purchase_reports AS known (project_id, id, token_id, app_id, store, environment, purchase_key,
     position, source_key, event, request_identifier, items, body, state, reason, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
   ON CONFLICT (project_id, id) DO UPDATE SET token_id = excluded.token_id, items = excluded.items,
     body = excluded.body, state = excluded.state, reason = excluded.reason
   WHERE known.state <> 'sent'`,
);

const get = statement(
  'external_purchase_reports.get',
  `SELECT ${columns} FROM external_purchase_reports r WHERE r.project_id = $1 AND r.id = $2`,
);

/** The first report of each purchase that its store has not accepted, if it can be sent. */
const due = statement(
  'external_purchase_reports.due',
  `SELECT ${columns} FROM external_purchase_reports r
   WHERE r.project_id = $1 AND r.app_id = $2 AND r.state = 'due' AND NOT EXISTS (
     SELECT 1 FROM external_purchase_reports e
     WHERE e.project_id = $1 AND e.purchase_key = r.purchase_key AND e.position < r.position
       AND e.state NOT IN ('sent', 'manual'))
   ORDER BY r.created_at, r.id LIMIT $3`,
);

const finish = statement(
  'external_purchase_reports.finish',
  `UPDATE external_purchase_reports SET state = $3, store_answer = $4, sent_at = $5
   WHERE project_id = $1 AND id = $2 AND state = 'due'`,
);

const incomplete = statement(
  'external_purchase_reports.incomplete',
  `SELECT DISTINCT r.purchase_key AS "purchaseKey", r.token_id AS "tokenId" FROM external_purchase_reports r
   WHERE r.project_id = $1 AND r.app_id = $2 AND r.state IN ('needs_tax', 'needs_data') AND r.token_id IS NOT NULL
   LIMIT $3`,
);

const isTokenTaken = statement(
  'external_purchase_reports.is_token_taken',
  `SELECT 1 FROM external_purchase_reports
   WHERE project_id = $1 AND token_id = $2 AND purchase_key <> $3 LIMIT 1`,
);

const lastRefusals = statement(
  'external_purchase_reports.last_refusals',
  `SELECT DISTINCT ON (r.app_id) r.app_id AS "appId", r.store_answer AS message, r.created_at AS "createdAt"
   FROM external_purchase_reports r WHERE r.project_id = $1 AND r.state = 'refused'
   ORDER BY r.app_id, r.created_at DESC`,
);

/** $2: due reports are late if they are older; $3: start of the reports that only a person can make. */
const waiting = statement(
  'external_purchase_reports.waiting',
  `SELECT r.app_id AS "appId", r.state, count(*)::int AS count FROM external_purchase_reports r
   WHERE r.project_id = $1 AND r.state <> 'sent' AND (r.state IN ('needs_tax', 'needs_token', 'needs_data')
     OR (r.state = 'due' AND r.created_at < $2) OR (r.state = 'manual' AND r.created_at >= $3))
   GROUP BY r.app_id, r.state ORDER BY r.app_id, r.state`,
);

/** All reports about a purchase are deleted together: later ones depend on them. */
const deleteOld = deletionOf('external_purchase_reports.delete_old', {
  table: 'external_purchase_reports',
  key: ['project_id', 'id'],
  isOld: (row) => `${row}.created_at <= $1 AND NOT EXISTS (
       SELECT 1 FROM external_purchase_reports n
       WHERE n.project_id = ${row}.project_id AND n.purchase_key = ${row}.purchase_key AND n.created_at > $1)`,
});

const sendAgain = statement(
  'external_purchase_reports.send_again',
  `UPDATE external_purchase_reports SET state = 'due', store_answer = NULL
   WHERE project_id = $1 AND id = $2 AND state = 'refused' RETURNING id`,
);

const order = ['r.created_at', 'r.id'];
const sorting = order.map((column) => `${column} DESC`).join(', ');

function filtered(narrowing: Narrowing, { state, appId, store, from, until }: ReportFilter): string {
  return (
    narrowing.when('state', state, (value) => `r.state = ${value}`) +
    narrowing.when('app', appId, (value) => `r.app_id = ${value}`) +
    narrowing.when('store', store ?? null, (value) => `r.store = ${value}`) +
    narrowing.when('from', from, (value) => `r.created_at >= ${value}`) +
    narrowing.when('until', until, (value) => `r.created_at < ${value}`)
  );
}

@Injectable()
export class ExternalPurchaseReportsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Oldest first. */
  ofPurchase(executor: Executor, projectId: string, purchaseKey: string): Promise<ReportRow[]> {
    return executor.query(ofPurchase, [projectId, purchaseKey]);
  }

  async save(
    tx: Transaction,
    projectId: string,
    place: Pick<ReportRow, 'appId' | 'store' | 'environment' | 'purchaseKey' | 'position'>,
    report: SavedReport,
    createdAt: Date,
  ): Promise<void> {
    const { appId, store, environment, purchaseKey, position } = place;
    const { id, tokenId, sourceKey, event, requestIdentifier, items, body, state, reason } = report;
    const head = [projectId, id, tokenId, appId, store, environment, purchaseKey, position, sourceKey, event];
    const json = [JSON.stringify(items), body === null ? null : JSON.stringify(body)];
    await tx.query(save, [...head, requestIdentifier, ...json, state, reason, createdAt]);
  }

  async get(projectId: string, id: string, executor: Executor = this.database): Promise<ReportRow | null> {
    return (await executor.query<ReportRow>(get, [projectId, id]))[0] ?? null;
  }

  incomplete(projectId: string, appId: string, limit: number): Promise<IncompletePurchase[]> {
    return this.database.query(incomplete, [projectId, appId, limit]);
  }

  /** Whether another purchase has reports with the token. */
  async isTokenTaken(
    tx: Transaction,
    projectId: string,
    tokenId: string,
    purchaseKey: string,
  ): Promise<boolean> {
    return (await tx.query(isTokenTaken, [projectId, tokenId, purchaseKey])).length > 0;
  }

  /** The latest refused report of each app. */
  lastRefusals(projectId: string): Promise<RefusedReport[]> {
    return this.database.query(lastRefusals, [projectId]);
  }

  /** By app and state. */
  waiting(projectId: string, lateBefore: Date, manualSince: Date): Promise<WaitingReports[]> {
    return this.database.query(waiting, [projectId, lateBefore, manualSince]);
  }

  @Cleanup('external_reports_retention', REPORTS_KEPT_MS)
  deleteOld(until: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [until]);
  }

  /** Returns false if the report was not refused. */
  async sendAgain(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    return (await tx.query(sendAgain, [projectId, id])).length > 0;
  }

  due(projectId: string, appId: string, limit: number): Promise<ReportRow[]> {
    return this.database.query(due, [projectId, appId, limit]);
  }

  /** Records the answer of the store to a due report. */
  async finish(
    projectId: string,
    id: string,
    { state, answer, at }: { state: 'sent' | 'refused'; answer: string | null; at: Date | null },
  ): Promise<void> {
    await this.database.query(finish, [projectId, id, state, answer, at]);
  }

  /** The position of a report in the list, or null if the list does not contain it. */
  async placeOf(projectId: string, filter: ReportFilter, id: string): Promise<Place | null> {
    const narrowing = new Narrowing('external_purchase_reports.place', [projectId, id]);
    const text = `SELECT r.created_at AS "createdAt" FROM external_purchase_reports r
      WHERE r.project_id = $1 AND r.id = $2${filtered(narrowing, filter)}`;
    const [row] = await this.database.query<{ createdAt: Date }>(narrowing.statement(text), narrowing.values);
    return row ? [row.createdAt, id] : null;
  }

  /** Newest first. */
  page(
    projectId: string,
    filter: ReportFilter,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<ReportRow[]> {
    const narrowing = new Narrowing('external_purchase_reports.page', [projectId, limit + 1]);
    const conditions = filtered(narrowing, filter) + narrowing.behind(order, after);
    const text = `SELECT ${columns} FROM external_purchase_reports r WHERE r.project_id = $1${conditions}
      ORDER BY ${sorting} LIMIT $2`;
    return this.database.query(narrowing.statement(text), narrowing.values);
  }
}
