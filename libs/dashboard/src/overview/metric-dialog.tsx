import { LineChart } from '../ui/chart/charts.js';
import { ChartTable } from '../ui/chart/chart-table.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatAxisMoney } from '../ui/format/format-money.js';
import { formatAxisNumber } from '../ui/format/format-number.js';
import { isMoney, type MetricHistory } from './metrics.js';
import { metricLabels } from './labels.js';

interface MetricDialogProps {
  history: MetricHistory;
  format: (value: number) => string;
  onClose: () => void;
}

/** The days of a metric as a large chart and a table. */
export function MetricDialog({ history, format, onClose }: MetricDialogProps) {
  const { values } = history;
  const { name, about } = metricLabels[history.id];
  const { locale } = useFormat();
  const chart = {
    label: name,
    days: values.map(({ date }) => date),
    series: [{ name, values: values.map(({ value }) => value) }],
    format: (value: number | null) => (value === null ? '—' : format(value)),
    axisFormat: (value: number) =>
      isMoney(history.id)
        ? formatAxisMoney(locale, value, history.currency)
        : formatAxisNumber(locale, value),
    incompleteFrom: values.length - 1,
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={name}
      description={`${about}. Days are UTC; dashed: today, not complete. Amounts are in ${history.currency}; other currencies are converted.`}
    >
      <div className="grid gap-4">
        <LineChart {...chart} />
        <ChartTable {...chart} />
      </div>
    </Dialog>
  );
}
