const NAME_MAX = 60;
/** Invisible; what it stands in is not read as an address. */
const WORD_JOINER = '\u2060';

/**
 * A name that people chose, as one short line that mail programs do not turn into a link: its author must not
 * write the rest of the mail. Characters without a shape go, those that turn the direction of text among them.
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
