import { appendFileSync } from 'node:fs';

/**
 * Appends answers of REST v2 to the file that RECORD_ANSWERS names, a JSON line each, for
 * scripts/vendor-check.mjs. Does nothing without that variable.
 */
export function recordAnswer(method: string, url: string, status: number, body: unknown): void {
  const file = process.env.RECORD_ANSWERS;
  const path = url.split('?')[0] ?? url;
  if (file === undefined || !path.startsWith('/v2/')) return;
  appendFileSync(file, `${JSON.stringify({ method, path, status, body })}\n`);
}
