import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { askHidden } from './hidden-prompt.js';

describe('a key that is asked for', () => {
  async function answered(...typed: string[]) {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => void modes.push(mode) });
    let shown = '';
    const answer = askHidden(input as unknown as ReadStream, (text) => void (shown += text), 'Key: ');
    for (const chunk of typed) input.write(chunk);
    return { answer: await answer.catch((error: Error) => error.message), shown, modes };
  }

  it('stays hidden while it is typed or pasted', async () => {
    expect(await answered('sk_', 'abX', '\u007f', 'c\r', 'rest')).toEqual({
      answer: 'sk_abc',
      shown: 'Key: \n',
      modes: [true, false],
    });
  });

  it('ends with Ctrl-C, which leaves the terminal as it was', async () => {
    expect(await answered('sk_', '\u0003')).toEqual({
      answer: 'Stopped.',
      shown: 'Key: \n',
      modes: [true, false],
    });
  });
});
