import { HOST_KEY_CHANGED } from '../error-words.js';
import { type TestText, testText } from './test-text.js';
import type { Kind } from './destination-kinds.js';

const passed = { ok: true, duration_ms: 3 };
const refused = { ok: false, duration_ms: 3, code: 'access_denied', message: 'AccessDenied' };

describe('the result of a test of a destination', () => {
  it('says that everything worked', () => {
    const steps = (['write', 'read', 'delete'] as const).map((name) => ({ name, ...passed }));
    expect(testText('s3', { ok: true, steps })).toEqual({
      tone: 'good',
      text: 'The test file was written, read and deleted.',
      detail: null,
    });
  });

  it('warns about a file that could not be deleted', () => {
    const steps = [
      { name: 'write' as const, ...passed },
      { name: 'read' as const, ...passed },
      { name: 'delete' as const, ...refused },
    ];
    expect(testText('s3', { ok: true, steps })).toMatchObject({ tone: 'warn', detail: 'AccessDenied' });
  });

  it.each<[Kind, 'write' | 'read', string, string]>([
    ['s3', 'write', 'access_denied', 'access denied. Check that the key may write to this bucket.'],
    ['azure', 'read', 'access_denied', 'access denied. Check that the key may read from this container.'],
    ['sftp', 'write', 'access_denied', 'access denied. Check the user, the password or key, and its folder.'],
    ['local', 'write', 'access_denied', 'access denied. Check that the server may write in this folder.'],
    ['gcs', 'write', 'not_found', 'not found. Check that the bucket exists.'],
    ['s3', 'write', 'wrong_region', 'wrong region.'],
    ['s3', 'read', 'a_newer_code', 'a newer code.'],
  ])('explains a failure: %s, %s, %s', (kind, name, code, text) => {
    const steps = [{ name, ...refused, code }];
    expect(testText(kind, { ok: false, steps })).toEqual<TestText>({
      tone: 'bad',
      text: `Could not ${name}: ${text}`,
      detail: 'AccessDenied',
    });
  });

  it('says that the host key has changed, without the text of the server', () => {
    const steps = [{ name: 'write' as const, ...refused, code: 'host_key_changed' }];
    expect(testText('sftp', { ok: false, steps })).toEqual({
      tone: 'bad',
      text: HOST_KEY_CHANGED,
      detail: null,
    });
  });

  it('says nothing about a test that only read the host key', () => {
    expect(testText('sftp', { ok: false, steps: [] })).toBeNull();
  });
});
