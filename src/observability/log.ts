import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { RepeatedLines } from './repeated-lines.js';

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

/**
 * Structured JSON logs. Known secret fields are masked wherever they stand, up to three levels deep. Errors that repeat
 * are written once a second, with how many were left out.
 */
@Injectable()
export class Log {
  private readonly logger: Logger;
  private readonly repeatedLines: RepeatedLines;

  /** @param destination where the lines go; standard output unless said otherwise */
  constructor(level: string, destination?: DestinationStream, nowMs = () => performance.now()) {
    this.repeatedLines = new RepeatedLines(nowMs);
    const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
    const options: LoggerOptions = {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[masked]' },
      formatters: { level: (label) => ({ level: label }) },
    };
    this.logger = destination ? pino(options, destination) : pino(options);
  }

  debug(fields: object, message: string): void {
    this.logger.debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.logger.info(fields, message);
  }

  warn(fields: object, message: string): void {
    const admitted = this.repeatedLines.admit('warn', fields, message);
    if (admitted) this.logger.warn(admitted, message);
  }

  error(fields: object, message: string): void {
    const admitted = this.repeatedLines.admit('error', fields, message);
    if (admitted) this.logger.error(admitted, message);
  }
}

/** Sends what the framework itself says (start, unhandled failures) to the same log. */
export class FrameworkLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, context?: unknown): void {
    this.target.debug({ context }, String(message));
  }

  error(message: unknown, ...details: unknown[]): void {
    // That a port cannot be had, which the start says itself.
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
