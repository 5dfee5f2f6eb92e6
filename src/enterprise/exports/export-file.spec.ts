import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileSigner } from '../../../libs/signing/index.js';
import { type ExportFile, writeExportFile } from './export-file.js';

const leftBehind = () => readdirSync(tmpdir()).filter((name) => name.startsWith('tenure-export-'));

async function* parts(...texts: string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}

async function bytesOf(file: ExportFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.read()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe('the file of an export', () => {
  it('supports repeated reads, and has the hash of its bytes', async () => {
    const signer = fileSigner(Buffer.alloc(32, 1));
    const file = await writeExportFile(
      parts('first\n', 'é', '', 'x'.repeat(200_000), '€'.repeat(50_000)),
      signer,
    );
    const [one, two] = [await bytesOf(file), await bytesOf(file)];
    expect(one.equals(two)).toBe(true);
    expect(one.toString()).toBe(`first\né${'x'.repeat(200_000)}${'€'.repeat(50_000)}`);
    expect(file.size).toBe(one.length);
    expect(file.sha256).toBe(createHash('sha256').update(one).digest('hex'));
    expect(file.signature).toBe((await signer.sign(one)).toString('base64'));
    await file.close();
  });

  it('has no signature without a key', async () => {
    const file = await writeExportFile(parts('a'), null);
    expect(file.signature).toBeNull();
    await file.close();
  });

  it('leaves nothing on disk, also if its content breaks off', async () => {
    const failing = (async function* () {
      yield await Promise.resolve('a');
      throw new Error('the database is gone');
    })();
    const before = leftBehind();
    const file = await writeExportFile(parts('a'), null);
    await expect(writeExportFile(failing, null)).rejects.toThrow('gone');
    expect(leftBehind()).toEqual(before);
    await file.close();
  });

  it('says what is missing where nothing can be written', async () => {
    const folder = '/nowhere/at/all';
    await expect(writeExportFile(parts('a'), null, folder)).rejects.toThrow(`cannot write to ${folder}`);
  });
});
