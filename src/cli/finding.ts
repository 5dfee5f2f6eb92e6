/** One thing that `tenure doctor` looked at. */
export interface Finding {
  level: 'ok' | 'warning' | 'failure';
  text: string;
}

export const finding = (level: Finding['level'], text: string): Finding => ({ level, text });

/** Why something cannot be reached, in a few words. Of several addresses that were tried only the code is told. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
