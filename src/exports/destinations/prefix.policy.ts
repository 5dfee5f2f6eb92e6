/** Readers of the files look for the time in the first ten digits of a path. */
const TEN_DIGITS = /\d{10}/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\\]/;

/** Whether a text is empty or a path such as `a/b` that stays within its bucket or folder. */
export function isPrefix(text: string): boolean {
  if (text === '') return true;
  if (CONTROL.test(text) || TEN_DIGITS.test(text)) return false;
  return text.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
