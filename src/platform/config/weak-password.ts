/** Passwords from examples and container images, and their common variations. */
const WORDS =
  `abc admin administrator app asdf baseball batman change changeit changeme data database db default demo
  dev development docker dragon example football foobar guest hello iloveyou letmein local login master me monkey my mysql
  name none pass passwd password passwort pg please postgre postgres postgresql princess prod production pw pwd qwerty
  qwertz root secret service shadow sql staging strong sunshine super superman sysadmin tenure test the this top trustno
  user welcome your`.split(/\s+/);
const ROWS = 'abcdefghijklmnopqrstuvwxyz qwertyuiop qwertzuiop asdfghjkl zxcvbnm yxcvbnm';
const LOOK_ALIKES: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const MIN_LENGTH = 8;
const MIN_DIFFERENT = 5;
/** Maximum number of extra characters (years, punctuation) around known words. */
const MAX_AROUND = 6;

const lettersOf = (text: string): string => text.replace(/[^a-z]/g, '');

/**
 * True for short passwords, digits only, keyboard rows, and known words or `names` (user, database) in any spelling.
 */
export function isGuessable(password: string, names: string[] = []): boolean {
  const lower = password.toLowerCase();
  if (lower.length < MIN_LENGTH || /^\d+$/.test(lower) || new Set(lower).size < MIN_DIFFERENT) return true;
  const known = names.map((name) => name.toLowerCase());
  if (known.includes(lower)) return true;
  const words = [...WORDS, ...known.map(lettersOf).filter((name) => name.length > 2)];
  const ofWords = new RegExp(`^(${words.join('|')})+$`);
  const read = lower.replace(/[01345@$!7]/g, (sign) => LOOK_ALIKES[sign] ?? sign);
  return [lower, read].some((text) => {
    const letters = lettersOf(text);
    if (letters.length < 4 || text.length - letters.length > MAX_AROUND) return false;
    return ofWords.test(letters) || ROWS.includes(letters);
  });
}
