/** JSON texts that are slow to parse, to walk or to check, as large as `size` bytes allow. */
export const costlyShapes: Record<string, (size: number) => string> = {
  'an object of as many names as are allowed': (size) => names(2_900, Math.floor(size / 2_900) - 6),
  'an object of far too many names': (size) => names(Math.floor(size / 10), 1),
  'one name, again and again': (size) => `{${list(Math.floor(size / 7), () => '"aa":1')}}`,
  'lists in lists': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'lists in objects, as deep as is allowed': () => '{"a":['.repeat(31) + ']}'.repeat(31),
  'empty objects': (size) => `[${list(Math.min(19_000, Math.floor(size / 3)), () => '{}')}]`,
  'objects with a name each': (size) =>
    `[${list(Math.min(2_900, Math.floor(size / 20)), (index) => `{"name${index}":[]}`)}]`,
  numbers: (size) => `[${list(Math.min(19_000, Math.floor(size / 50)), () => '1.'.padEnd(48, '7'))}]`,
  texts: (size) => `[${list(Math.min(19_000, Math.floor(size / 50)), () => `"${'x'.repeat(46)}"`)}]`,
  'a number of a million digits': (size) => '7'.repeat(size),
  'a long text': (size) => `"${'x'.repeat(size)}"`,
  'a text of emoji': (size) => `"${'😀'.repeat(Math.floor(size / 4))}"`,
  'a text of accents in the wrong order': (size) => `"a${'\u0301\u0316'.repeat(Math.floor(size / 4))}"`,
  'a text of escaped quotes': (size) => `"${'\\"'.repeat(Math.floor(size / 2))}"`,
  'a text of spaces': (size) => `"${' '.repeat(size)}x"`,
  'a text of half pairs': (size) => `"${'\\ud800'.repeat(Math.floor(size / 6))}"`,
};

function list(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(',');
}

function names(count: number, length: number): string {
  return `{${list(count, (index) => `"${String(index).padEnd(Math.max(length, 1), 'k')}":1`)}}`;
}
