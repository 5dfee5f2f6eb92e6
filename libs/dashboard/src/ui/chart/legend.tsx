import { visibleText } from '../text/visible-text.js';
import { colorOf, dashOf, isLine, type Kind, type Series } from './chart-series.js';

interface LegendProps {
  kind: Kind;
  series: readonly Series[];
  /** Names of the hidden series. */
  off: ReadonlySet<string>;
  /** Start of the drawing, in pixels. */
  start: number;
  onChange: (off: ReadonlySet<string>) => void;
}

/** Names of the series as buttons that hide or show them. */
export function Legend({ kind, series, off, start, onChange }: LegendProps) {
  const toggle = (name: string) => {
    const next = new Set(off);
    if (!next.delete(name)) next.add(name);
    // The last series stays, because an empty chart says nothing.
    if (next.size < series.length) onChange(next);
  };
  return (
    // The buttons have a padding of 8 pixels.
    <div className="mt-1 flex flex-wrap gap-x-1" style={{ paddingInlineStart: start - 8 }}>
      {series.map(({ name, comparison }, index) => (
        <button
          key={name}
          type="button"
          aria-pressed={!off.has(name)}
          onClick={() => toggle(name)}
          className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-sm px-2 text-sm text-muted hover:bg-hover not-aria-pressed:line-through pointer-coarse:min-h-11"
        >
          <svg
            width="18"
            height="10"
            aria-hidden="true"
            className="shrink-0"
            opacity={off.has(name) ? 0.35 : 1}
          >
            {kind === 'bar' && !isLine(kind, series[index]!) ? (
              <rect x="4" width="10" height="10" rx="2" fill={colorOf(index)} />
            ) : (
              <line
                x2="18"
                y1="5"
                y2="5"
                stroke={colorOf(index)}
                strokeWidth={comparison ? 1.25 : 2.5}
                strokeDasharray={comparison ? '3 3' : dashOf(index)}
              />
            )}
          </svg>
          <span className="truncate">{visibleText(name)}</span>
        </button>
      ))}
    </div>
  );
}
