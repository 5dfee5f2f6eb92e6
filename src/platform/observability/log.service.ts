import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { isError, loggedError } from './logged-error.js';
import { RepeatedLines } from './repeated-lines.js';
import { traceFields } from './tracing.js';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'signing_secret',
  'key',
  'fetch_token',
  'authorization_header',
];
const APP_USER_ID_FIELDS = ['app_user_id', 'appUserId'];

/** Masks known secret fields up to three levels deep and hashes app user ids. Counts repeated warnings and errors. */
@Injectable()
export class LogService {
  private readonly logger: Logger;
  private readonly repeatedLines: RepeatedLines;
  /** Used until the encryption key is known. */
  private shown: (appUserId: string) => string = () => '[masked]';

  /** @param destination standard output by default */
  constructor(level: string, destination?: DestinationStream) {
    this.repeatedLines = new RepeatedLines({
      write: (severity, fields, message) => this.logger[severity](fields, message),
    });
    const paths = [...SECRET_FIELDS, ...APP_USER_ID_FIELDS].flatMap((field) => [
      field,
      `*.${field}`,
      `*.*.${field}`,
    ]);
    const options: LoggerOptions = {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: (value, path) => this.censored(value, path.at(-1)) },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => (isError(error) ? loggedError(error) : error) },
    };
    this.logger = destination ? pino(options, destination) : pino(options);
  }

  showAppUserIdsAs(shown: (appUserId: string) => string): void {
    this.shown = shown;
  }

  /** Returns the form of an app user id for log lines. Fields with a known name are replaced automatically. */
  appUserId(id: string): string {
    return this.shown(id);
  }

  get writesDebug(): boolean {
    return this.logger.isLevelEnabled('debug');
  }

  debug(fields: object, message: string): void {
    this.logger.debug({ ...traceFields(), ...fields }, message);
  }

  info(fields: object, message: string): void {
    this.logger.info({ ...traceFields(), ...fields }, message);
  }

  warn(fields: object, message: string): void {
    this.repeatedLines.take('warn', { ...traceFields(), ...fields }, message);
  }

  error(fields: object, message: string): void {
    this.repeatedLines.take('error', { ...traceFields(), ...fields }, message);
  }

  /** Logs why the process ends. Always written, because no later line would report the count. */
  fatal(fields: object, message: string): void {
    this.logger.fatal(fields, message);
  }

  private censored(value: unknown, field: string | undefined): string {
    return typeof value === 'string' && APP_USER_ID_FIELDS.includes(field ?? '')
      ? this.shown(value)
      : '[masked]';
  }
}

/** Sends the framework's own messages (startup, unhandled failures) to the same log. */
export class FrameworkLog implements LoggerService {
  constructor(private readonly target: LogService) {}

  log(message: unknown, context?: unknown): void {
    this.target.debug({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    // The port is in use; the startup code reports that itself.
    if (details.at(-1) === 'NestApplication') return this.target.debug({ details }, String(message));
    this.target.error({ details }, String(message));
  }

  warn(message: unknown, ...details: unknown[]): void {
    this.target.warn({ details }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.target.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.target.debug({ context }, String(message));
  }
}
