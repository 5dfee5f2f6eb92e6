import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes, typeName, unsentTypes } from './event-types.js';

/** The sources of the server, without tests. */
function serverSources(): string {
  const files = ['src', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith('dashboard/src'),
      )
      .map((name) => join(folder, name)),
  );
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

describe('the types of events in filters', () => {
  it('are those that the server records', () => {
    const sources = serverSources();
    const isRecorded = (type: (typeof eventTypes)[number]) => sources.includes(`'${typeName(type)}'`);
    expect(eventTypes.filter((type) => !isRecorded(type))).toEqual([]);
    expect(unsentTypes.filter(isRecorded)).toEqual([]);
  });
});
