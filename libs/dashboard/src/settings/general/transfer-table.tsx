import { text } from './general.text.js';
import type { TransferBehavior } from './project.queries.js';

/** Effect of each rule on both customers, side by side. */
export function TransferTable() {
  const words = text.transferTable;
  return (
    <table aria-label={words.label} className="w-full max-w-2xl border-collapse text-sm">
      <thead>
        <tr className="border-b border-line text-muted">
          {[words.rule, words.restores, words.before].map((heading) => (
            <th key={heading} scope="col" className="py-1.5 pe-4 text-start align-bottom font-medium">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(Object.keys(text.behaviors) as TransferBehavior[]).map((behavior) => (
          <tr key={behavior} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pe-4 text-start align-top font-normal">
              {text.behaviors[behavior].label}
            </th>
            {words.effects[behavior].map((effect) => (
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
