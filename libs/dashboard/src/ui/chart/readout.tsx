import { visibleText } from '../text/visible-text.js';

interface ReadoutProps {
  /** Name of the bucket. */
  day: string | null;
  incomplete: boolean;
  notes: readonly { date: string; text: string }[];
  x: number;
  width: number;
  rows: readonly { name: string; color: string; value: string }[];
}

/** The values of the bucket under the pointer. Announced when the keyboard moves between buckets. */
export function Readout({ day, incomplete, notes, x, width, rows }: ReadoutProps) {
  const toStart = x > width / 2;
  return (
    <div role="status" className="pointer-events-none absolute inset-0 overflow-hidden">
      {day !== null && (
        <div
          className="absolute top-2 max-w-64 rounded-md border border-line bg-panel px-2.5 py-1.5 text-sm shadow-overlay"
          style={toStart ? { right: width - x + 10 } : { left: x + 10 }}
        >
          <div className="mb-0.5 font-medium whitespace-nowrap">
            {day}
            {incomplete && <span className="font-normal text-muted"> (incomplete)</span>}
          </div>
          {rows.map(({ name, color, value }) => (
            <div key={name} className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className="size-2 shrink-0 rounded-full"
                style={{ background: color }}
              />
              <span className="min-w-0 flex-1 truncate text-muted">{visibleText(name)}</span>
              <span className="ps-3 tabular-nums">{value}</span>
            </div>
          ))}
          {notes.map(({ date, text }) => (
            <p key={date + text} className="mt-0.5 [overflow-wrap:anywhere]">
              Note: {visibleText(text)}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
