/** Meaning of a badge, toast or note; always shown with a word, mostly with an icon too. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

export const toneText: Record<Tone, string> = {
  neutral: 'text-muted',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
};
