import { cx } from './cx.js';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-solid';
export type ButtonSize = 'md' | 'sm';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent enabled-hover:brightness-110',
  secondary: 'border-line bg-panel text-fg enabled-hover:bg-hover enabled-hover:border-edge',
  ghost: 'border-transparent text-fg enabled-hover:bg-hover',
  danger: 'border-line bg-panel text-bad enabled-hover:bg-bad/10 enabled-hover:border-bad',
  'danger-solid': 'border-transparent bg-bad text-panel enabled-hover:brightness-110',
};

const sizes: Record<ButtonSize, string> = {
  md: 'h-8 px-3 text-base pointer-coarse:min-h-11',
  sm: 'h-7 px-2 text-sm pointer-coarse:min-h-9',
};

/** Classes of a button, for links that look like one. */
export function buttonClass({
  variant = 'secondary',
  size = 'md',
}: { variant?: ButtonVariant; size?: ButtonSize } = {}) {
  return cx(
    'inline-flex shrink-0 items-center align-middle justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap no-underline hover:no-underline select-none',
    'transition-[background-color,border-color,filter] duration-100',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 disabled:opacity-55',
    variants[variant],
    sizes[size],
  );
}
