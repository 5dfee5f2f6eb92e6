import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { formatDay } from '../format/format-time.js';
import { useFormat } from '../format/format-context.js';
import { Axes } from './axes.js';
import { type ChartProps, colorOf, type Kind, summarize, topSeries } from './chart-series.js';
import { Drawing, layoutOf } from './draw.js';
import { Legend } from './legend.js';
import { bucketOf, NoteMark } from './note-mark.js';
import { Readout } from './readout.js';
import { useWidth } from './use-width.js';
import { widestText } from './widest-text.js';

const moves: Record<string, (index: number, last: number) => number> = {
  ArrowRight: (index, last) => Math.min(last, index + 1),
  ArrowLeft: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** An SVG chart: text remains text, it follows theme and zoom, and every point can be reached by keyboard. */
export function Plot(props: ChartProps & { kind: Kind }) {
  const { kind, days, format, height = 260, incompleteFrom = days.length, incompleteFirst = false } = props;
  const { axisFormat = format, notes = [] } = props;
  const { locale } = useFormat();
  const { bucketName = (day: string, short: boolean) => formatDay(locale, day, short) } = props;
  const [box, width] = useWidth();
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<number | null>(null);
  const all = useMemo(() => topSeries(props.series), [props.series]);
  const [series, places] = useMemo(() => {
    const shown = all.map((one, place) => ({ one, place })).filter(({ one }) => !off.has(one.name));
    return [shown.map(({ one }) => one), shown.map(({ place }) => place)];
  }, [all, off]);
  const layout = useMemo(
    () =>
      layoutOf(kind, Math.max(width, 120), height, series, days.length, (ticks) =>
        widestText(ticks.map(axisFormat)),
      ),
    [kind, width, height, series, days.length, axisFormat],
  );
  const last = days.length - 1;
  const point = at === null || at > last ? null : at;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setAt(null);
    const next = moves[event.key]?.(point ?? (event.key === 'ArrowRight' ? -1 : last + 1), last);
    if (next === undefined || last < 0) return;
    event.preventDefault();
    setAt(next);
  };
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const index = Math.round((x - layout.x(0)) / layout.step);
    setAt(last < 0 ? null : Math.min(last, Math.max(0, index)));
  };
  const summary = summarize({ ...props, series: all }, (day) => bucketName(day, false));
  return (
    <div className="min-w-0">
      <div ref={box} className="relative" style={{ height }}>
        {width > 0 && (
          <svg
            role="img"
            aria-label={`${summary} Use the arrow keys to move along the points.`}
            tabIndex={0}
            width={layout.width}
            height={height}
            onKeyDown={onKeyDown}
            onBlur={() => setAt(null)}
            onPointerMove={onPointer}
            onPointerLeave={() => setAt(null)}
            className="block touch-pan-y overflow-visible rounded-sm"
          >
            <Axes
              layout={layout}
              days={days}
              format={axisFormat}
              incompleteFrom={incompleteFrom}
              incompleteFirst={incompleteFirst}
              bucketName={bucketName}
            />
            <Drawing
              kind={kind}
              layout={layout}
              series={series}
              places={places}
              incompleteFrom={incompleteFrom}
              incompleteFirst={incompleteFirst}
            />
            {notes.map(({ date, text }) => {
              const bucket = bucketOf(days, date);
              return bucket < 0 ? null : <NoteMark key={date + text} layout={layout} bucket={bucket} />;
            })}
            {point !== null && (
              <line
                x1={layout.x(point)}
                x2={layout.x(point)}
                y1={layout.y.range()[0]}
                y2={layout.y.range()[1]}
                className="stroke-muted"
                strokeDasharray="2 2"
              />
            )}
            {point !== null &&
              kind === 'line' &&
              series.map(({ name, values }, index) => {
                const value = values[point];
                return value === null || value === undefined ? null : (
                  <circle
                    key={name}
                    cx={layout.x(point)}
                    cy={layout.y(value)}
                    r="3.5"
                    fill={colorOf(places[index]!)}
                    className="stroke-panel"
                    strokeWidth="1.5"
                  />
                );
              })}
          </svg>
        )}
        <Readout
          day={point === null ? null : bucketName(days[point]!, false)}
          incomplete={point !== null && (point >= incompleteFrom || (incompleteFirst && point === 0))}
          notes={notes.filter(({ date }) => point !== null && bucketOf(days, date) === point)}
          x={point === null ? 0 : layout.x(point)}
          width={layout.width}
          rows={series.map(({ name, values }, index) => ({
            name,
            color: colorOf(places[index]!),
            value: format(point === null ? null : (values[point] ?? null)),
          }))}
        />
      </div>
      {all.length > 1 && <Legend kind={kind} series={all} off={off} start={layout.left} onChange={setOff} />}
      {incompleteFrom < days.length && (
        <p className="mt-1 text-xs text-muted" style={{ paddingInlineStart: layout.left }}>
          {incompleteFrom === last
            ? `${bucketName(days[last]!, false)} is incomplete.`
            : `Incomplete since ${bucketName(days[incompleteFrom]!, false)}.`}
        </p>
      )}
    </div>
  );
}
