import { cx } from '../../../ui/cx.js';

type Look = 'title' | 'text' | 'image' | 'plan' | 'chosen' | 'button';
type Shape = [look: Look, x: number, y: number, width: number, height: number];

const classes: Record<Look, string> = {
  title: 'fill-fg',
  text: 'fill-edge',
  image: 'fill-line',
  plan: 'fill-none stroke-edge',
  chosen: 'fill-chosen stroke-accent',
  button: 'fill-accent',
};

const bullet = (y: number): Shape[] => [
  ['button', 10, y, 4, 4],
  ['text', 18, y + 0.5, 30, 3],
];
const footer: Shape[] = [
  ['button', 8, 84, 44, 9],
  ['text', 20, 97, 20, 2],
];

/** Parts of a screen of 60 by 104, by template. */
const sketches: Record<string, Shape[]> = {
  simple: [['title', 12, 24, 36, 5], ['text', 16, 34, 28, 3], ['chosen', 8, 50, 44, 16], ...footer],
  features: [
    ['title', 12, 12, 36, 5],
    ...bullet(24),
    ...bullet(32),
    ...bullet(40),
    ['chosen', 8, 52, 44, 12],
    ['plan', 8, 67, 44, 12],
    ...footer,
  ],
  timeline_trial: [
    ['title', 12, 12, 36, 5],
    ['image', 11, 26, 2, 30],
    ...bullet(24),
    ...bullet(39),
    ...bullet(54),
    ['chosen', 8, 65, 44, 14],
    ...footer,
  ],
  two_plans: [['title', 12, 18, 36, 5], ['chosen', 8, 36, 44, 16], ['plan', 8, 57, 44, 16], ...footer],
  plans_in_tabs: [
    ['title', 12, 18, 36, 5],
    ['button', 8, 34, 21, 8],
    ['plan', 31, 34, 21, 8],
    ['chosen', 8, 50, 44, 18],
    ...footer,
  ],
  carousel: [
    ['image', 8, 10, 44, 34],
    ['button', 24, 48, 3, 3],
    ['text', 29, 48, 3, 3],
    ['text', 34, 48, 3, 3],
    ['chosen', 8, 56, 44, 10],
    ['plan', 8, 69, 44, 10],
    ...footer,
  ],
  footer_only: [['title', 12, 24, 36, 5], ['chosen', 8, 66, 44, 12], ...footer],
  empty: [],
};

/** A sketch of a template's screen. */
export function TemplatePicture({ id, className }: { id: string; className?: string }) {
  return (
    <svg viewBox="0 0 60 104" aria-hidden="true" className={cx('h-26 w-15', className)}>
      <rect x="0.5" y="0.5" width="59" height="103" rx="6" className="fill-bg stroke-edge" />
      {(sketches[id] ?? footer).map(([look, x, y, width, height]) => (
        <rect
          key={`${x} ${y}`}
          {...{ x, y, width, height }}
          rx={Math.min(height / 2, 3)}
          className={classes[look]}
        />
      ))}
    </svg>
  );
}
