import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import type { LogService } from '../observability/log.service.js';
import { hasLostName, sqlState } from './database-errors.js';
import { examineNamedStatements } from './connections/named-statements.js';

const DISK_FULL = '53100';
/** Disk full, a read-only transaction, a missing privilege. */
const REFUSED = new Set([DISK_FULL, '25006', '42501']);

const LOST =
  'DATABASE_URL is a pooler that does not keep named statements: they are off, so every statement is planned each time ' +
  '(PgBouncer needs version 1.21 or later and max_prepared_statements above 0)';
const UNKNOWN =
  'DATABASE_URL is a pooler that did not show in time whether it keeps named statements: they are off';

/** The state of the database, as recent statements of this process revealed it. */
export class StatementOutcomes {
  /** When (`performance.now()`) a statement last succeeded. */
  answeredAt = -Infinity;
  /** A write failed because the disk was full, and none has succeeded since. */
  isDiskFull = false;
  /** The database refused a statement; the next examination checks what else it refuses. */
  isRefused = false;

  private constructor(
    /** Statements are sent by name, which saves planning. */
    public usesNames: boolean,
    private readonly log: LogService,
    registry: Registry,
  ) {
    const namesUsed = (): boolean => this.usesNames;
    new Gauge({
      name: 'tenure_database_named_statements',
      aggregator: 'min',
      help: '1 while statements are sent by name, 0 if the pooler or the configuration does not allow it.',
      registers: [registry],
      collect() {
        this.set(Number(namesUsed()));
      },
    });
  }

  /** Requires a reachable database. Each process tests it for itself. */
  static async of(config: Config, log: LogService, registry: Registry): Promise<StatementOutcomes> {
    const outcomes = new StatementOutcomes(config.namedStatements, log, registry);
    if (config.namedStatements && config.databaseUrl !== null) await outcomes.examine(config.databaseUrl);
    return outcomes;
  }

  noteAnswer(): void {
    this.answeredAt = performance.now();
  }

  noteFailure(error: unknown): void {
    // A pooler may be added, or lose its setting, while this process runs.
    if (hasLostName(error)) this.dropNames(LOST);
    const state = sqlState(error);
    if (state !== undefined && REFUSED.has(state)) this.isRefused = true;
    if (state === DISK_FULL) this.isDiskFull = true;
  }

  private async examine(url: string): Promise<void> {
    try {
      const names = await examineNamedStatements(url);
      if (names === 'lost') this.dropNames(LOST);
      if (names === 'unknown') this.dropNames(UNKNOWN);
    } catch (error) {
      this.log.warn({ err: error }, 'could not find out whether a pooler is in front of the database');
    }
  }

  private dropNames(why: string): void {
    if (!this.usesNames) return;
    this.usesNames = false;
    this.log.warn({}, why);
  }
}
