/** Meaning of a badge, toast or note. Always shown with a word, and usually with an icon. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

export const toneText: Record<Tone, string> = {
  neutral: 'text-muted',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
};
