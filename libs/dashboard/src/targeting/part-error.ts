import type { CallError } from '../api/call-error.js';

/** Returns the server's error about a part of a form, or about something in it. */
export function partError(error: CallError | null, part: string): string | null {
  const param = error?.param ?? '';
  const isOfPart = param === part || param.startsWith(`${part}[`) || param.startsWith(`${part}.`);
  return error && isOfPart ? error.message : null;
}
