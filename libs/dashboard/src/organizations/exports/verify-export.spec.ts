import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { opensslCommands, verifyExport } from './verify-export.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
const content = Buffer.from('id,occurred_at\r\naud_1,2026-01-01T00:00:00.000Z\r\n');
const signature = `ed25519=${sign(null, content, privateKey).toString('base64')}`;
const sha256 = createHash('sha256').update(content).digest('hex');
const bytes = (of: Buffer) => new Uint8Array(of).buffer;

describe('a downloaded export', () => {
  it('has the hash and the signature that the server gave', async () => {
    const file = { bytes: bytes(content), sha256, signature, publicKey: raw };
    expect(await verifyExport(file)).toEqual({ sha256, isHashRight: true, signature: 'right' });
  });

  it('fails verification if a byte was changed', async () => {
    const changed = Buffer.from(content);
    changed[0]! ^= 1;
    const file = { bytes: bytes(changed), sha256, signature, publicKey: raw };
    expect(await verifyExport(file)).toMatchObject({ isHashRight: false, signature: 'wrong' });
  });

  it('passes without a signature', async () => {
    const file = { bytes: bytes(content), sha256, signature: null, publicKey: null };
    expect(await verifyExport(file)).toMatchObject({ isHashRight: true, signature: 'absent' });
  });

  it('verifies with the commands that the page shows', () => {
    const folder = mkdtempSync(join(tmpdir(), 'export-'));
    try {
      writeFileSync(join(folder, 'audit.csv'), content);
      const commands = opensslCommands('audit.csv', signature, raw);
      expect(execFileSync('sh', ['-ec', commands], { cwd: folder, encoding: 'utf8' })).toMatch(/Success/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
