import { useFormat } from '../../ui/format/format-context.js';
import { formatPercent } from '../../ui/format/format-number.js';
import { Icon } from '../../ui/icons.js';
import { changeOfState, type ChartPreview, coverageOf } from './chart-previews.js';
import { rangeLabels } from '../chart-range.js';
import type { ChartState } from '../chart-state.js';
import { useFigure } from '../use-figure.js';

interface ChartFigureLineProps {
  preview: ChartPreview;
  range: ChartState['range'];
  /** Names the days, if the name of the range does not. */
  coverage?: string;
  isLarge?: boolean;
}

/** The figure of a chart with what it covers, and the change of a state. */
export function ChartFigureLine({ preview, range = '90d', coverage, isLarge }: ChartFigureLineProps) {
  const { locale } = useFormat();
  const figure = useFigure(preview.currency);
  const change = changeOfState(preview);
  return (
    <>
      <span className={`block font-semibold tabular-nums ${isLarge ? 'text-2xl' : 'truncate text-xl'}`}>
        {figure(preview.value, preview.unit ?? '#')}
      </span>
      <span className="block text-sm text-muted">
        {coverageOf(preview, coverage ?? rangeLabels[range].toLowerCase())}
        {change !== null && (
          <span className="whitespace-nowrap tabular-nums">
            {' · '}
            <Icon
              name={change < 0 ? 'arrow-down' : 'arrow-up'}
              label={change < 0 ? 'less' : 'more'}
              className="inline size-3.5!"
            />{' '}
            {formatPercent(locale, Math.abs(change))}
          </span>
        )}
      </span>
    </>
  );
}
