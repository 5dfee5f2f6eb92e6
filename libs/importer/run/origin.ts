import type { CustomerPage } from '../customers/page.js';
import type { ImportReport } from '../report/report.model.js';
import type { PassFiles } from './pass-files.js';
import type { PassLedger } from './pass-ledger.js';

/** The parts of a pass that an origin uses. */
export interface PassContext {
  ledger: PassLedger;
  files: PassFiles;
  warn(message: string): void;
}

/** Results of an origin besides customers. An absent part means none. */
export type Preparation = Pick<ImportReport, 'catalog' | 'public_keys' | 'credentials_missing'>;

/** The source of customers: the vendor's API, or files. */
export interface ImportOrigin {
  /** Identifies the source in the state file and the report. */
  readonly place: { url: string; project: string };
  readonly requests: number;
  readonly rateLimitedMs: number;
  /** Remaining wait because of a rate limit. */
  readonly pausedMs: number;
  /** Expected number of customers, if known. */
  readonly expected: number | null;
  /** Prepares everything that customers refer to. */
  prepare(pass: PassContext): Promise<Preparation>;
  /** Yields customers that the pass has not finished, page by page. Call `prepare` first. */
  pages(pass: PassContext): AsyncGenerator<CustomerPage>;
  /** Counts for the token file. */
  tokenCounts(): ImportReport['google_tokens'];
}
