export interface Finding {
  level: 'ok' | 'warning' | 'failure';
  text: string;
}

export const finding = (level: Finding['level'], text: string): Finding => ({ level, text });

/** Summarizes why something cannot be reached. If several addresses were tried, only the code. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
