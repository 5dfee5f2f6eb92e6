const FORM = /^[A-Za-z0-9_.-]{1,1024}$/;
const DOTS = /^\.{1,2}$/;

/** Whether Roku can have created this id. It becomes part of a path, so `.` and `..` are invalid. */
export function isTransactionId(text: string): boolean {
  return FORM.test(text) && !DOTS.test(text);
}

/** Roku sends the same id with and without dashes, in upper and lower case. Calls use the form received. */
export function transactionKey(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}
