import { HOST_KEY_CHANGED, wordsOf } from '../error-words.js';
import type { Kind } from './destination-kinds.js';
import type { DestinationTest } from './destinations.writes.js';

export interface TestText {
  tone: 'good' | 'warn' | 'bad';
  text: string;
  /** The text of the store. */
  detail: string | null;
}

/** The result of a test, in sentences. Null for a test that only read the host key. */
export function testText(kind: Kind, { ok, steps }: Pick<DestinationTest, 'ok' | 'steps'>): TestText | null {
  const failed = steps.find((step) => !step.ok);
  if (ok && failed === undefined)
    return { tone: 'good', text: 'The test file was written, read and deleted.', detail: null };
  if (failed === undefined) return null;
  const { code = 'internal', message = null } = failed;
  if (ok)
    return {
      tone: 'warn',
      text: 'The test file was written but could not be deleted. Exports will work; failed attempts may leave files.',
      detail: message,
    };
  if (code === 'host_key_changed') return { tone: 'bad', text: HOST_KEY_CHANGED, detail: null };
  const text = `Could not ${failed.name}: ${wordsOf(code)}.`;
  return { tone: 'bad', text: `${text}${hintOf(kind, failed.name, code)}`, detail: message };
}

const places: Record<Kind, string> = {
  s3: 'bucket',
  gcs: 'bucket',
  azure: 'container',
  sftp: 'folder',
  local: 'folder',
};

function hintOf(kind: Kind, step: string, code: string): string {
  const place = places[kind];
  if (code === 'access_denied' && kind === 'sftp')
    return ' Check the user, the password or key, and its folder.';
  if (code === 'access_denied' && kind === 'local')
    return ` Check that the server may ${step} in this folder.`;
  if (code === 'access_denied')
    return ` Check that the key may ${step} ${step === 'write' ? 'to' : 'from'} this ${place}.`;
  if (code === 'not_found') return ` Check that the ${place} exists.`;
  return '';
}
