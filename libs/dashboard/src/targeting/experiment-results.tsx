import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../ui/badge.js';
import { formatFullNumber } from '../ui/format/format-number.js';
import { useFormat } from '../ui/format/format-context.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { ScrollFrame } from '../ui/scroll-frame.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type Experiment, type Results, resultsQuery } from './experiments.queries.js';
import { type Cell, resultRows } from './result-rows.js';
import { metricNames } from './labels.js';

const environmentLabels = { production: 'Production', sandbox: 'Sandbox, with testers' };

const variantLabels = {
  Control: 'Control',
  Treatment: 'Treatment',
  TreatmentC: 'Treatment C',
  TreatmentD: 'Treatment D',
} as Record<string, string>;

const intervalText = (lower: string, upper: string) => `${lower} to ${upper}`;

interface ExperimentResultsProps {
  projectId: string;
  experiment: Experiment;
}

/** Results of the variants as a table, below a note on their reliability. */
export function ExperimentResults({ projectId, experiment }: ExperimentResultsProps) {
  const [environment, setEnvironment] = useState<'production' | 'sandbox'>('production');
  const options = resultsQuery(projectId, experiment.id, environment);
  const query = useQuery({ ...options, enabled: experiment.status !== 'draft' });
  if (experiment.status === 'draft') {
    return (
      <Panel title="Results">
        <p className="text-muted">There are results once the experiment has been started.</p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Results"
      description="Customers since they joined. Computed every hour."
      padded={false}
      actions={
        <SelectField
          label="Purchases"
          labelHidden
          size="sm"
          value={environment}
          options={(['production', 'sandbox'] as const).map((value) => ({
            value,
            label: environmentLabels[value],
          }))}
          onChange={({ target }) => setEnvironment(target.value as typeof environment)}
        />
      }
    >
      <QueryPanel query={query} queryKey={options.queryKey}>
        {(results) => (
          <>
            <Checks checks={results.checks} />
            <Figures results={results} primary={experiment.primary_metric} />
          </>
        )}
      </QueryPanel>
    </Panel>
  );
}

function Checks({ checks }: { checks: Results['checks'] }) {
  const { locale } = useFormat();
  const { recommended_min_customers: recommended, contaminated } = checks;
  return (
    <ul className="grid gap-1.5 border-b border-line px-4 py-3">
      {checks.sample_ratio_mismatch && (
        <li>
          <Badge tone="bad">
            Customers are not split between the variants as configured. The results are unreliable.
          </Badge>
        </li>
      )}
      {checks.warnings
        .filter(({ code }) => code !== 'sample_ratio_mismatch')
        .map(({ message }) => (
          <li key={message}>
            <Badge tone="warn">{visibleText(message)}</Badge>
          </li>
        ))}
      {checks.enough_data ? (
        <li>There are enough customers for the primary metric.</li>
      ) : (
        recommended !== null && (
          <li className="text-muted">{`Each variant needs about ${formatFullNumber(locale, recommended)} customers before a difference is meaningful.`}</li>
        )
      )}
      {contaminated > 0 && (
        <li className="text-muted">{`${formatFullNumber(locale, contaminated)} customers were excluded from the results: they were also in another experiment.`}</li>
      )}
    </ul>
  );
}

const head = 'border-b border-line bg-panel px-4 py-2 text-xs font-medium text-muted';

function Figures({ results, primary }: { results: Results; primary: string }) {
  const { locale } = useFormat();
  const { variants, sections } = resultRows(results, locale);
  return (
    <ScrollFrame label="Results">
      <table aria-label="Results" className="w-full border-separate border-spacing-0 tabular-nums">
        <thead>
          <tr>
            <th scope="col" className={`${head} sticky start-0 z-1 text-start`}>
              Metric
            </th>
            {variants.map((name) => (
              <th key={name} scope="col" className={`${head} text-end`}>
                {variantLabels[name] ?? name}
              </th>
            ))}
          </tr>
        </thead>
        {sections.map(({ name, rows }) => (
          <tbody key={name}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={variants.length + 1}
                className="px-4 pt-4 pb-1 text-start font-semibold"
              >
                {name}
              </th>
            </tr>
            {rows.map(({ metric, cells }) => (
              <tr key={metric} className="hover:bg-hover">
                <th
                  scope="row"
                  className="sticky start-0 z-1 max-w-40 border-b border-line bg-panel px-4 py-1.5 text-start font-normal sm:max-w-none sm:whitespace-nowrap"
                >
                  {metricNames[metric] ?? metric} {metric === primary && <Badge tone="accent">Primary</Badge>}
                </th>
                {cells.map((cell, index) => (
                  <td
                    key={index}
                    className="border-b border-line px-4 py-1.5 text-end align-top whitespace-nowrap"
                  >
                    <FigureCell cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </ScrollFrame>
  );
}

function FigureCell({ cell }: { cell: Cell }) {
  const { value, change, chance, interval } = cell;
  return (
    <>
      <div>{value}</div>
      {change !== null && <div className="text-sm text-muted">{`${change} vs. control`}</div>}
      {interval !== null && <div className="text-sm text-muted">{intervalText(...interval)}</div>}
      {chance !== null && <div className="text-sm text-muted">{`${chance} chance to win`}</div>}
    </>
  );
}
