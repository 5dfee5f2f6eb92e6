const FORM = /^[A-Za-z0-9_.-]{1,1024}$/;
const DOTS = /^\.{1,2}$/;

/** Whether Roku can have made this id. It becomes part of a path, so `.` and `..` are none. */
export function isTransactionId(text: string): boolean {
  return FORM.test(text) && !DOTS.test(text);
}

/** The same id comes with and without dashes, in capital and in small letters. Calls keep the form that came. */
export function transactionKey(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}
