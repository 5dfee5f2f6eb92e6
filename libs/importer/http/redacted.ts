const MAX_LENGTH = 500;
const KEY = /\b(sk_|atk_|rtk_)[\w-]{4,}/g;
const CONTROL = /\p{Cc}+/gu;

/** Makes a server's text safe to print and save: one line, short, and without keys. */
export function redacted(text: string, ...keys: string[]): string {
  let shown = text;
  for (const key of keys) if (key !== '') shown = shown.replaceAll(key, '***');
  return shown.replace(KEY, '$1***').replace(CONTROL, ' ').slice(0, MAX_LENGTH);
}
