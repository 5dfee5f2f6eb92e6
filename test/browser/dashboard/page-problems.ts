import type { BrowserContext, ConsoleMessage } from 'playwright-core';
import { reportViolations } from './in-page.mjs';

/** The browser itself writes this one for a visitor who is not signed in: the dashboard asks who they are. */
const SIGNED_OUT = /status of 401 .* \/auth\/me$/;

/** Also written by the browser: the open edition has no such route, which is how the dashboard tells the editions apart. */
const OPEN_EDITION = /status of 404 .* \/v2\/enterprise$/;

/** Collects page faults: policy violations, exceptions, errors in the console. */
export class PageProblems {
  private readonly found: string[] = [];
  private readonly expected: RegExp[] = [];
  private isStopped = false;

  /** All pages of the profile, those that come later too. */
  async watch(context: BrowserContext, url: string): Promise<void> {
    const note = (text: string): void => {
      if (!this.isStopped) this.found.push(text);
    };
    context.on('console', (message: ConsoleMessage) => {
      if (message.type() !== 'error') return;
      note(`${message.text()} ${message.location().url.replace(url, '')}`);
    });
    context.on('weberror', (error) => note(`exception: ${error.error().stack ?? error.error().message}`));
    await context.exposeBinding('noteViolation', (_, violation: string) =>
      note(`policy violation: ${violation}`),
    );
    await context.addInitScript(reportViolations);
  }

  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** Effects of closing a page are not problems. */
  stop(): void {
    this.isStopped = true;
  }

  /** @throws Error naming each problem that is not expected, and each expected one that did not come */
  assertNone(): void {
    const allowed = [SIGNED_OUT, OPEN_EDITION, ...this.expected];
    const problems = this.found.filter((text) => !allowed.some((pattern) => pattern.test(text)));
    const absent = this.expected.filter((pattern) => !this.found.some((text) => pattern.test(text)));
    const lines = [
      ...problems,
      ...absent.map((pattern) => `expected, but did not happen: ${String(pattern)}`),
    ];
    if (lines.length > 0) throw new Error(`Problems of the dashboard's pages:\n${lines.join('\n')}`);
  }
}
