import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OneTimeFacts, SubscriptionFacts } from '../../../libs/engine/index.js';
import {
  type AppleReportStatus,
  appleTokenReport,
  crossRate,
  type LineChange,
  planCharge,
  planRestatement,
  type PurchaseReport,
  reconsider,
  type ReportContext,
  type ReportStore,
  type ReportToken,
  withNewToken,
} from '../../../libs/external-reports/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { StoreSettings } from '../../catalog/apps/store-fields.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type Place, startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ProjectsService } from '../../workspace/projects/projects.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';
import {
  ExternalPurchaseReportsRepository,
  REPORTS_KEPT_MS,
  type IncompletePurchase,
  type RefusedReport,
  type ReportFilter,
  type ReportRow,
  type WaitingReports,
} from './external-purchase-reports.repository.js';
import { planKnownTax, restatementKey } from './known-tax.js';
import { chargesOf } from './report-charge.js';
import { type MonthSums, ReportMonthsRepository } from './report-months.repository.js';

/** A token with the store that issued it, which wants the reports. */
export interface StoreToken extends ReportToken {
  store: ReportStore;
}

/** A purchase outside the app stores, with the token that it is bound to. */
export interface ReportedPurchase {
  id: string;
  key: string;
  environment: 'production' | 'sandbox';
  facts: SubscriptionFacts | OneTimeFacts;
  token: StoreToken;
  appId: string;
  settings: StoreSettings;
}

type Circumstances = Pick<ReportedPurchase, 'key' | 'environment' | 'token' | 'settings'>;

/** Some programs require reports within a day. */
export const REPORT_ALARM_MS = 20 * 3_600_000;
/** How long the setup health mentions reports that only a person can make. */
const MANUAL_SHOWN_MS = 30 * 86_400_000;
const DUE_AT_ONCE = 20;
const MAX_INCOMPLETE = 1_000;
/** Reports that a file reads at a time. */
const BATCH = 500;
const MONTHS = 24;

export interface Restatement {
  change: LineChange;
  token: StoreToken;
  settings: StoreSettings;
}

export type TokenStatus = Exclude<AppleReportStatus, 'LINE_ITEM'>;

type ReportsFollower = (projectId: string, appId: string) => void;

/** Reports to Apple and Google about purchases that are bound to a token: one for each row of the ledger. */
@Injectable()
export class ExternalPurchaseReportsService {
  private readonly followers = new Map<ReportStore, ReportsFollower>();

  constructor(
    private readonly repository: ExternalPurchaseReportsRepository,
    private readonly sums: ReportMonthsRepository,
    private readonly transactions: TransactionsService,
    private readonly rates: ExchangeRatesService,
    private readonly writes: ProjectWritesService,
    private readonly projects: ProjectsService,
  ) {}

  /** `follower` is called after a commit that added reports to a store. Call at startup. */
  followReports(store: ReportStore, follower: ReportsFollower): void {
    this.followers.set(store, follower);
  }

  /** Adds the missing reports of a purchase, in the transaction that changed its ledger or bound it. */
  async plan(tx: Transaction, projectId: string, purchase: ReportedPurchase, nowMs: number): Promise<void> {
    const { appId, key: purchaseKey, token } = purchase;
    const ledger = await this.transactions.chargesOf(tx, projectId, purchase.id);
    const rows = await this.repository.ofPurchase(tx, projectId, purchaseKey);
    // Only reports about tokens have another event.
    const reports = rows as PurchaseReport[];
    const context = await this.contextOf(tx, projectId, purchase, rows);
    let isChanged = false;
    for (const charge of chargesOf(ledger, purchase.facts)) {
      if (charge.atMs < nowMs - REPORTS_KEPT_MS) continue;
      const ids = { reportId: newId('externalReport', nowMs), requestIdentifier: randomUUID() };
      const isReported = reports.some(({ sourceKey }) => sourceKey === charge.sourceKey);
      const plan = isReported
        ? planKnownTax(charge, reports, context, ids)
        : planCharge(charge, reports, context, ids);
      if (!plan) continue;
      const { report } = plan;
      const index = reports.findIndex(({ id }) => id === report.id);
      const position = index === -1 ? reports.length : index;
      const place = { appId, store: token.store, environment: token.environment, purchaseKey, position };
      reports[position] = report;
      await this.repository.save(tx, projectId, place, report, new Date(nowMs));
      isChanged = true;
    }
    if (isChanged) tx.afterCommit(() => this.wake(projectId, { appId, store: token.store }));
  }

  /**
   * Corrects the first line of a report: the report itself if Apple has not accepted it, else with another one.
   * @throws ApiError 404; 409 if nothing changes, or if only a person can report it; 422 if Google has accepted it
   */
  async restate(
    tx: Transaction,
    projectId: string,
    id: string,
    { change, ...context }: Restatement,
    nowMs: number,
  ): Promise<ReportRow> {
    const report = await this.repository.get(projectId, id, tx);
    if (!report) throw ApiError.missing('external purchase report', id);
    const rows = await this.repository.ofPurchase(tx, projectId, report.purchaseKey);
    const sourceKey = restatementKey(id, rows as PurchaseReport[]);
    const ids = { reportId: newId('externalReport', nowMs), requestIdentifier: randomUUID() };
    const lineItemId = report.items[0]?.lineItemId ?? '';
    const named = { ...report, key: report.purchaseKey, ...context };
    const known = await this.contextOf(tx, projectId, named, rows);
    const plan = planRestatement({ lineItemId, change, sourceKey }, rows as PurchaseReport[], known, ids);
    if (report.store === 'google' && !plan?.isUpdate)
      throw new ApiError('impossible', 'Google accepts no corrections of reports.');
    if (!plan) throw new ApiError('conflict', 'There is nothing to restate.');
    const index = rows.findIndex((row) => row.id === plan.report.id);
    const position = index === -1 ? rows.length : index;
    await this.repository.save(tx, projectId, { ...report, position }, plan.report, new Date(nowMs));
    tx.afterCommit(() => this.wake(projectId, report));
    return (await this.repository.get(projectId, plan.report.id, tx)) as ReportRow;
  }

  /** Purchases of an app with reports that may be complete by now. */
  incomplete(projectId: string, appId: string): Promise<IncompletePurchase[]> {
    return this.repository.incomplete(projectId, appId, MAX_INCOMPLETE);
  }

  /** Completes reports of a purchase if what they needed is known now: a tax rate or an exchange rate. */
  async reconsider(
    tx: Transaction,
    projectId: string,
    purchaseKey: string,
    context: Pick<ReportedPurchase, 'token' | 'settings'>,
    nowMs: number,
  ): Promise<void> {
    const rows = await this.repository.ofPurchase(tx, projectId, purchaseKey);
    const reports = rows as PurchaseReport[];
    for (const [position, row] of rows.entries()) {
      const known = await this.contextOf(tx, projectId, { ...row, key: purchaseKey, ...context }, rows);
      const report = reconsider(row as PurchaseReport, reports, known);
      if (report.state === row.state) continue;
      reports[position] = report;
      await this.repository.save(tx, projectId, row, report, new Date(nowMs));
    }
  }

  /** The charge that waits for another token, or that Google refused with the present one; null if there is none. */
  async waitingForToken(tx: Transaction, projectId: string, purchaseKey: string): Promise<ReportRow | null> {
    const rows = await this.repository.ofPurchase(tx, projectId, purchaseKey);
    return rows.find((row) => row.state === 'needs_token' || isRefusedWithToken(row)) ?? null;
  }

  /** Completes reports of a purchase that is bound to another token now. `refusedTokenId`: the former one, if refused. */
  async useNewToken(
    tx: Transaction,
    projectId: string,
    { appId, ...purchase }: Circumstances & { appId: string },
    refusedTokenId: string | null,
    nowMs: number,
  ): Promise<void> {
    const rows = await this.repository.ofPurchase(tx, projectId, purchase.key);
    const context = await this.contextOf(tx, projectId, purchase, rows);
    const refused = refusedTokenId ?? rows.find(isRefusedWithToken)?.tokenId ?? null;
    const reports = withNewToken(rows as PurchaseReport[], context, refused);
    for (const [position, row] of rows.entries()) {
      const report = reports[position];
      if (!report || report === (row as PurchaseReport)) continue;
      await this.repository.save(tx, projectId, row, report, new Date(nowMs));
    }
    tx.afterCommit(() => this.wake(projectId, { appId, store: purchase.token.store }));
  }

  /** Adds a report to Apple about a token without purchases. */
  async addOfToken(
    tx: Transaction,
    projectId: string,
    { appId, token, status }: { appId: string; token: ReportToken; status: TokenStatus },
    nowMs: number,
  ): Promise<void> {
    const requestIdentifier = randomUUID();
    const place = {
      appId,
      store: 'apple',
      environment: token.environment,
      purchaseKey: token.id,
      position: 0,
    } as const;
    const report = {
      id: newId('externalReport', nowMs),
      requestIdentifier,
      sourceKey: `token:${token.id}`,
      event: 'token' as const,
      tokenId: token.id,
      items: [],
      state: 'due' as const,
      reason: null,
      body: appleTokenReport(token.externalPurchaseId ?? '', status, requestIdentifier),
    };
    await this.repository.save(tx, projectId, place, report, new Date(nowMs));
  }

  /**
   * Reports of an app that can be sent now: the first of each purchase that its store has not accepted. None of a
   * deleted project.
   */
  async due(projectId: string, appId: string): Promise<ReportRow[]> {
    if (!(await this.projects.exists(projectId))) return [];
    return this.repository.due(projectId, appId, DUE_AT_ONCE);
  }

  recordSent(projectId: string, id: string, nowMs: number): Promise<void> {
    return this.repository.finish(projectId, id, { state: 'sent', answer: null, at: new Date(nowMs) });
  }

  /** Later reports about the same purchase wait. */
  recordRefusal(projectId: string, id: string, answer: string): Promise<void> {
    return this.repository.finish(projectId, id, { state: 'refused', answer, at: null });
  }

  /** The latest refused report of each app, by app id. */
  async lastRefusals(projectId: string): Promise<Map<string, RefusedReport>> {
    const rows = await this.repository.lastRefusals(projectId);
    return new Map(rows.map((row) => [row.appId, row]));
  }

  /** Reports that are late, need something or must be made by a person. */
  waiting(projectId: string, nowMs: number): Promise<WaitingReports[]> {
    const [lateBefore, manualSince] = [nowMs - REPORT_ALARM_MS, nowMs - MANUAL_SHOWN_MS];
    return this.repository.waiting(projectId, new Date(lateBefore), new Date(manualSince));
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<ReportRow> {
    const report = await this.repository.get(projectId, id);
    if (!report) throw ApiError.missing('external purchase report', id);
    return report;
  }

  /** Sends a refused report again, with the same identifiers. @throws ApiError 404; 409 if it was not refused */
  async sendAgain(write: ProjectWrite, id: string): Promise<ReportRow> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const report = await this.repository.get(projectId, id, tx);
      if (!report) throw ApiError.missing('external purchase report', id);
      if (!(await this.repository.sendAgain(tx, projectId, id))) {
        throw new ApiError(
          'conflict',
          `Only refused reports can be sent again; this one is ${report.state}.`,
        );
      }
      await tx.audit({ action: 'sent_again', target: 'external_purchase_report', targetId: id });
      tx.afterCommit(() => this.wake(projectId, report));
      return { ...report, state: 'due', storeAnswer: null };
    });
  }

  /** Up to `limit + 1` reports, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, filter: ReportFilter, page: PageRequest): Promise<ReportRow[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(projectId, filter, id));
    return this.repository.page(projectId, filter, page, after);
  }

  /** All reports that match, newest first, in batches. */
  async *batches(projectId: string, filter: ReportFilter): AsyncGenerator<ReportRow[]> {
    let after: Place | null = null;
    for (;;) {
      const page = { limit: BATCH, after: null };
      const rows: ReportRow[] = await this.repository.page(projectId, filter, page, after);
      const batch = rows.slice(0, BATCH);
      const last = batch.at(-1);
      if (!last) return;
      yield batch;
      if (rows.length <= BATCH) return;
      after = [last.createdAt, last.id];
    }
  }

  /** Sums of the latest months, newest first: one row for each month, store and currency with production purchases. */
  months(projectId: string, nowMs: number): Promise<MonthSums[]> {
    const now = new Date(nowMs);
    return this.sums.since(
      projectId,
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 - MONTHS, 1)),
    );
  }

  private async contextOf(
    tx: Transaction,
    projectId: string,
    { key, environment, token, settings }: Circumstances,
    rows: readonly ReportRow[],
  ): Promise<ReportContext> {
    const isNewToken = token.store === 'google' && !rows.some(({ tokenId }) => tokenId === token.id);
    return {
      store: token.store,
      environment,
      token,
      taxRates: await this.projects.taxRates(projectId, tx),
      fallbackCurrency: settings.external_purchase_reports?.fallback_currency ?? 'EUR',
      exchangeRate: (from, to, atMs) =>
        crossRate(from, to, atMs, (code, day) => this.rates.rateOf(code, day)),
      linkType: settings.external_transaction_reports?.link_type ?? null,
      isTokenTaken: isNewToken && (await this.repository.isTokenTaken(tx, projectId, token.id, key)),
    };
  }

  /** Sends due reports of an app soon. */
  wake(projectId: string, { appId, store }: Pick<ReportRow, 'appId' | 'store'>): void {
    this.followers.get(store)?.(projectId, appId);
  }
}

/** Google's refusals do not tell whether the token or something else is wrong. */
function isRefusedWithToken({ state, body }: ReportRow): boolean {
  return state === 'refused' && body !== null && 'needsToken' in body && body.needsToken;
}
