import type { ReadStream } from 'node:tty';
import { Interrupted } from './outcome.js';

/** Prompts on a terminal without echoing the input. @throws Interrupted on Ctrl-C and Ctrl-D */
export function askHidden(
  input: ReadStream,
  write: (text: string) => void,
  question: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (settle: () => void): void => {
      input.off('data', read);
      input.setRawMode(false);
      input.pause();
      write('\n');
      settle();
    };
    const read = (chunk: Buffer): void => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\r' || character === '\n') return end(() => resolve(typed));
        if (character === '\u0003' || character === '\u0004')
          return end(() => reject(new Interrupted('Stopped.')));
        if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('');
        else if (character >= ' ') typed += character;
      }
    };
    write(question);
    input.setRawMode(true);
    input.resume();
    input.on('data', read);
  });
}
