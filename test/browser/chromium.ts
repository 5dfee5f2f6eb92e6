import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell first: the same engine without a browser's own windows, for three quarters of the processor time. */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

const executablePath = process.env.CHROMIUM_PATH ?? CANDIDATES.find((path) => existsSync(path));
const REMEDY = "install Debian's package chromium-headless-shell or set CHROMIUM_PATH";
/** CI must not pass without these tests. */
const canSkip = !executablePath && !process.env.CI;
if (canSkip) process.stderr.write(`skipped: tests in a browser (${REMEDY})\n`);

/** `describe` for tests that need a browser: skips them if none is installed, except in CI, where they fail. */
export const describeInBrowser = canSkip ? describe.skip : describe;

/** A headless browser of this machine, which reaches nothing but this machine. */
export function launchChromium(): Promise<Browser> {
  if (!executablePath) throw new Error(`There is no Chromium; ${REMEDY}`);
  return chromium.launch({
    executablePath,
    // The test's own limit is the only one.
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
    ],
  });
}
