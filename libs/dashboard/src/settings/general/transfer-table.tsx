import type { TransferBehavior } from './project.queries.js';
import { behaviorLabels } from './labels.js';

const effects = {
  transfer: ['Gets the purchase', 'Loses it'],
  transfer_if_no_active: [
    'Gets it, unless the previous owner has an active subscription',
    'Loses it, or keeps everything if a subscription is active',
  ],
  keep: ['Restore is refused', 'Keeps it'],
  share: ['Gets it', 'Keeps it: the two customers are merged'],
} satisfies Record<TransferBehavior, [restores: string, before: string]>;

/** Effect of each rule on both customers, side by side. */
export function TransferTable() {
  return (
    <table aria-label="Effect of each rule" className="w-full max-w-2xl border-collapse text-sm">
      <thead>
        <tr className="border-b border-line text-muted">
          {['Rule', 'Customer who restores', 'Previous owner'].map((heading) => (
            <th key={heading} scope="col" className="py-1.5 pe-4 text-start align-bottom font-medium">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(Object.keys(behaviorLabels) as TransferBehavior[]).map((behavior) => (
          <tr key={behavior} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pe-4 text-start align-top font-normal">
              {behaviorLabels[behavior].label}
            </th>
            {effects[behavior].map((effect) => (
              <td key={effect} className="py-1.5 pe-4 align-top">
                {effect}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
