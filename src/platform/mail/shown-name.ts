const NAME_MAX = 60;
/** Invisible; text that contains it is not recognized as an address. */
const WORD_JOINER = '\u2060';

/**
 * Formats a user-chosen name as one short line that mail programs do not turn into a link, so that its author cannot
 * write the rest of the mail. Removes invisible characters, including those that change the text direction.
 */
export function shownName(name: string): string {
  const line = name
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  const letters = [...line];
  const short = letters.length > NAME_MAX ? `${letters.slice(0, NAME_MAX - 1).join('')}…` : line;
  return short.replace(/[.:](?=\S)/g, `$&${WORD_JOINER}`);
}
