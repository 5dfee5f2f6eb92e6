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

const tokenColumns: readonly (readonly [meaning: string, names: readonly string[]])[] = [
  ['Purchase token', ['purchase_token', 'token', 'fetch_token', 'google_purchase_token']],
  ['Order id', ['order_id', 'orderid', 'store_transaction_id', 'store_subscription_identifier']],
  ['Customer', ['app_user_id', 'rc_original_app_user_id', 'customer_id', 'user_id']],
  ['Product', ['product_id', 'product_identifier', 'google_product_id']],
];

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
    <Panel
      title="Purchases missing a token"
      description="The vendor exports Google Play purchases by order id only. Their customers keep access; with the purchase token, Google is the source again. Tokens also come from the app, from notifications, and from Google’s orders API when its credentials are set."
      padded={false}
    >
      {status && <WaitingApps projectId={projectId} byApp={status.needs_token_refresh_by_app} />}
      <section
        aria-label="Add tokens from a CSV file"
        className="flex flex-col gap-3 border-t border-line p-4"
      >
        <h3 className="font-semibold">Add tokens from a CSV file</h3>
        <p className="max-w-prose text-muted">
          With a header row; comma, semicolon or tab between the columns. A row needs the token and the order
          id, or the token with the customer and the product.
        </p>
        <TokenColumns />
        <CodeBlock
          label="Example of the file"
          code={
            'purchase_token,order_id,app_user_id,product_id\naabbccddeeffgghhiijjkkll.AO-J1Oz,GPA.3312-4512-1100-55923,user-1,pro'
          }
          copy
        />
        <CodeBlock label="Command that imports with the tokens" code={command} copy />
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
  if (rows.length === 0) return <p className="px-4 py-3 text-muted">No purchases are missing a token.</p>;
  return (
    <DataList
      label="Purchases missing a token, by app"
      rows={rows}
      rowKey={([id]) => id}
      rowHref={([id]) =>
        apps?.some((app) => app.id === id) ? `/projects/${projectId}/apps/${id}` : undefined
      }
      columns={[
        {
          id: 'app',
          header: 'App',
          priority: 1,
          cell: ([id]) => <DataText truncate>{nameOf(id)}</DataText>,
        },
        {
          id: 'count',
          header: 'Waiting',
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
    <table aria-label="Columns of the file" className="w-full border-collapse text-sm">
      <thead>
        <tr className="border-b border-line text-muted">
          {['Column', 'Also accepted as'].map((heading) => (
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
