import { useMutation, useQueryClient } from '@tanstack/react-query';
import { asCallError } from '../api/call-error.js';
import { CsvButton } from '../ui/csv-button.js';
import { downloadCsv } from '../ui/format/download.js';
import { useToast } from '../ui/overlays/toast.js';
import { usePreferences } from '../frame/preferences.js';
import { isMoney, metrics } from './metrics.js';
import { type FigureEnvironment, historyQuery } from './overview.queries.js';

interface MetricsCsvButtonProps {
  projectId: string;
  environment: FigureEnvironment;
}

/** Saves the days of all metrics as one table. */
export function MetricsCsvButton({ projectId, environment }: MetricsCsvButtonProps) {
  const { displayCurrency } = usePreferences().preferences;
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const histories = await Promise.all(
        metrics.map((metric) =>
          queries.ensureQueryData(historyQuery(projectId, metric, environment, displayCurrency)),
        ),
      );
      const days = histories[0]?.values ?? [];
      const valueOn = (history: (typeof histories)[number], day: string) =>
        history.values.find(({ date }) => date === day)?.value;
      downloadCsv(
        'overview.csv',
        ['day', ...histories.map(({ id, currency }) => (isMoney(id) ? `${id}_in_${currency}` : id))],
        days.map(({ date }) => [date, ...histories.map((history) => valueOn(history, date))]),
      );
    },
    onError: (error) =>
      toast({
        tone: 'bad',
        title: 'The metrics were not downloaded',
        description: asCallError(error).message,
      }),
  });
  return <CsvButton busy={save.isPending} onClick={() => save.mutate()} />;
}
