/** One thing that `tenure doctor` looked at. */
export interface Finding {
  level: 'ok' | 'warning' | 'failure';
  text: string;
}

export const finding = (level: Finding['level'], text: string): Finding => ({ level, text });
