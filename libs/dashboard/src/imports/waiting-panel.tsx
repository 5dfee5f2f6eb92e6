import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { useMay } from '../api/permissions.js';
import { CodeBlock } from '../ui/text/code-block.js';
import { DataList } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { Num } from '../ui/format/money.js';
import { Panel } from '../ui/panel.js';
import { type ImportStatus, importStatusQuery } from './imports.queries.js';
import { exampleCsv, text, tokenColumns } from './imports.text.js';

const words = text.waiting;

interface WaitingPanelProps {
  projectId: string;
  /** Imports with a file of tokens. */
  command: string;
}

/** Apps that have purchases without a token, and how to supply tokens. */
export function WaitingPanel({ projectId, command }: WaitingPanelProps) {
  // The counts panel shows loading and errors.
  const { data: status } = useQuery(importStatusQuery(projectId));
  return (
    <Panel title={words.title} description={words.about} padded={false}>
      {status && <WaitingApps projectId={projectId} byApp={status.needs_token_refresh_by_app} />}
      <section aria-label={words.csv} className="flex flex-col gap-3 border-t border-line p-4">
        <h3 className="font-semibold">{words.csv}</h3>
        <p className="max-w-prose text-muted">{words.csvAbout}</p>
        <TokenColumns />
        <CodeBlock label={words.example} code={exampleCsv} copy />
        <CodeBlock label={words.command} code={command} copy />
      </section>
    </Panel>
  );
}

interface WaitingAppsProps {
  projectId: string;
  byApp: ImportStatus['needs_token_refresh_by_app'];
}

function WaitingApps({ projectId, byApp }: WaitingAppsProps) {
  const mayApps = useMay('listApps').allowed;
  const { data: apps, refetch } = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  const unknown = Object.keys(byApp).filter((id) => apps?.every((app) => app.id !== id));
  const unknownIds = unknown.join(' ');
  // An import may create apps after the page has loaded them.
  useEffect(() => {
    if (unknownIds !== '') void refetch();
  }, [unknownIds, refetch]);
  const nameOf = (id: string) => apps?.find((app) => app.id === id)?.name ?? id;
  const rows = Object.entries(byApp).sort(([, a], [, b]) => b - a);
  if (rows.length === 0) return <p className="px-4 py-3 text-muted">{words.none}</p>;
  return (
    <DataList
      label={words.label}
      rows={rows}
      rowKey={([id]) => id}
      rowHref={([id]) =>
        apps?.some((app) => app.id === id) ? `/projects/${projectId}/apps/${id}` : undefined
      }
      columns={[
        {
          id: 'app',
          header: words.app,
          priority: 1,
          cell: ([id]) => <DataText truncate>{nameOf(id)}</DataText>,
        },
        {
          id: 'count',
          header: words.count,
          width: '8rem',
          align: 'end',
          priority: 1,
          cell: ([, count]) => <Num value={count} />,
        },
      ]}
    />
  );
}

function TokenColumns() {
  return (
    <table aria-label={words.columns} className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-b border-line text-muted">
          {[words.column, words.names].map((heading) => (
            <th key={heading} scope="col" className="py-1.5 pe-4 text-start font-medium">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tokenColumns.map(([meaning, [name, ...others]]) => (
          <tr key={meaning} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pe-4 text-start align-top font-normal">
              {meaning}
              <code className="block font-mono [overflow-wrap:anywhere]">{name}</code>
            </th>
            <td className="py-1.5 align-top font-mono text-muted [overflow-wrap:anywhere]">
              {others.join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
