import { Dialog } from '../../ui/overlays/dialog.js';
import { pageKeys } from '../navigation/navigation.js';

const keys: [keys: string[], does: string][] = [
  [['Ctrl K', '/'], 'Search customers, orders and pages'],
  [['j', 'k'], 'Next and previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close the panel or dialog'],
  [['r'], 'Refresh'],
  [['f'], 'Go to the filters'],
  [['?'], 'Show this list'],
];

const pageNames: Record<string, string> = {
  '/overview': 'Overview',
  '/customers': 'Customers',
  '/events': 'Events',
  '/transactions': 'Transactions',
  '/integrations': 'Integrations',
  '/webhooks': 'Webhooks',
  '/catalog/products': 'Products',
  '/apps': 'Apps',
  '/settings/general': 'Settings',
};

export function KeyList({ onClose }: { onClose: () => void }) {
  const rows = [
    ...keys,
    ...Object.entries(pageKeys).map(([key, path]): [string[], string] => [
      [`g ${key}`],
      `Go to ${pageNames[path]}`,
    ]),
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keyboard shortcuts"
      description="Single-key shortcuts can be turned off in your account’s preferences."
      size="sm"
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {rows.map(([names, does]) => (
          <div key={does} className="contents">
            <dt className="flex gap-1.5">
              {names.map((name) => (
                <kbd key={name} className="rounded-sm border border-line bg-bg px-1.5 font-mono text-sm">
                  {name}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
