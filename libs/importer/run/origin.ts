import type { CustomerPage } from '../customers/page.js';
import type { ImportReport } from '../report/report.model.js';
import type { PassFiles } from './pass-files.js';
import type { PassLedger } from './pass-ledger.js';

/** A pass as an origin sees it. */
export interface PassContext {
  ledger: PassLedger;
  files: PassFiles;
  warn(message: string): void;
}

/** What an origin brings beside customers; absent parts are none. */
export type Preparation = Pick<ImportReport, 'catalog' | 'public_keys' | 'credentials_missing'>;

/** Where customers come from: the vendor's API, or files. */
export interface ImportOrigin {
  /** For the state file and the report: which source this is. */
  readonly place: { url: string; project: string };
  readonly requests: number;
  readonly rateLimitedMs: number;
  /** Left of a wait that a rate limit asked for. */
  readonly pausedMs: number;
  /** Customers that will come, where that is known before. */
  readonly expected: number | null;
  /** Everything that customers refer to. */
  prepare(pass: PassContext): Promise<Preparation>;
  /** Customers that the pass has not finished, page by page. Called after `prepare`. */
  pages(pass: PassContext): AsyncGenerator<CustomerPage>;
  /** Of the token file. */
  tokenCounts(): ImportReport['google_tokens'];
}
