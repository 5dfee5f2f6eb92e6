import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

export interface Entry {
  key: string;
  value: string;
}

/** Writes entries as JSON lines. */
export async function writeRun(file: string, entries: Iterable<Entry> | AsyncIterable<Entry>): Promise<void> {
  const output = createWriteStream(file, { mode: 0o600 });
  // Without a listener, a full disk would end the process before `finished` reports it.
  output.on('error', () => undefined);
  let buffered = '';
  for await (const { key, value } of entries) {
    buffered += `${JSON.stringify([key, value])}\n`;
    if (buffered.length < 64 * 1024) continue;
    if (!output.write(buffered) && !output.errored) await once(output, 'drain').catch(() => undefined);
    if (output.errored) throw output.errored;
    buffered = '';
  }
  output.end(buffered);
  await finished(output);
}

export async function* readRun(file: string, start = 0): AsyncGenerator<Entry> {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', start }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [key, value] = JSON.parse(line) as [string, string];
      yield { key, value };
    }
  }
}
