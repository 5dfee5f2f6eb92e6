/** Types of files that are accepted, decided by their first bytes. */
export type FileType = 'png' | 'jpeg' | 'webp' | 'gif' | 'ttf' | 'otf';

const signatures: readonly (readonly [FileType, RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['gif', /^GIF8[79]a/],
  ['ttf', /^(\x00\x01\x00\x00|true)/],
  ['otf', /^OTTO/],
];

const LONGEST = 12;

/** Null for every other file, SVG included. */
export function fileTypeOf(bytes: Buffer): FileType | null {
  const start = bytes.toString('latin1', 0, LONGEST);
  return signatures.find(([, signature]) => signature.test(start))?.[0] ?? null;
}
