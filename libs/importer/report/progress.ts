import type { Runtime } from '../command/runtime.js';

const ON_TERMINAL_MS = 1_000;
const ELSEWHERE_MS = 60_000;

export interface ProgressValues {
  /** The current phase: `customers`, `catch-up`. */
  phase: string;
  read: number;
  /** Null until a pass has counted them. */
  expected: number | null;
  /** Remaining wait after a 429 answer. */
  pausedMs: number;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** `customers 12,400 of ~32,000  41 %  96/min  waiting 12 s (rate limit)  about 3 h 20 min left` */
export function progressLine(values: ProgressValues, perMinute: number): string {
  const { phase, read, expected, pausedMs } = values;
  const left = expected === null ? 0 : expected - read;
  return [
    `${phase} ${grouped(read)}${expected === null ? '' : ` of ~${grouped(expected)}`}`,
    expected === null || expected === 0 ? null : `${Math.min(100, Math.floor((read / expected) * 100))} %`,
    perMinute > 0 ? `${grouped(Math.round(perMinute))}/min` : null,
    pausedMs > 0 ? `waiting ${Math.ceil(pausedMs / 1000)} s (rate limit)` : null,
    left > 0 && perMinute > 0 ? `about ${duration((left / perMinute) * 60_000)} left` : null,
  ]
    .filter((part) => part !== null)
    .join('  ');
}

/** Writes progress to standard error: one updating line on a terminal, else a line per minute. */
export class Progress {
  private timer: NodeJS.Timeout | null = null;
  private start: { atMs: number; read: number } | null = null;
  private isLineOpen = false;

  constructor(
    private readonly runtime: Runtime,
    private readonly quiet: boolean,
    private readonly values: () => ProgressValues,
  ) {}

  begin(): void {
    this.start = { atMs: this.runtime.clock.nowMs(), read: this.values().read };
    if (this.quiet) return;
    this.timer = setInterval(
      () => this.show(),
      this.runtime.isTerminal ? ON_TERMINAL_MS : ELSEWHERE_MS,
    ).unref();
  }

  end(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.closeLine();
  }

  /** Prints a warning on a line of its own, even when quiet. */
  warn(message: string): void {
    this.closeLine();
    this.runtime.writeError(`${message}\n`);
  }

  private show(): void {
    const line = progressLine(this.values(), this.perMinute());
    this.runtime.writeError(this.runtime.isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
    this.isLineOpen = this.runtime.isTerminal;
  }

  private perMinute(): number {
    if (this.start === null) return 0;
    const minutes = (this.runtime.clock.nowMs() - this.start.atMs) / 60_000;
    return minutes > 0 ? (this.values().read - this.start.read) / minutes : 0;
  }

  private closeLine(): void {
    if (this.isLineOpen) this.runtime.writeError('\n');
    this.isLineOpen = false;
  }
}
