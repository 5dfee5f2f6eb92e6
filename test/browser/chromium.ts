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

/** A headless browser of this machine, which reaches nothing but this machine. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? CANDIDATES.find((path) => existsSync(path));
  if (!executablePath)
    throw new Error(
      "There is no Chromium; install Debian's package chromium-headless-shell or set CHROMIUM_PATH",
    );
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
