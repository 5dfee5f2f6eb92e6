import { DataText } from './text/data-text.js';
import { shortJson } from './text/json-text.js';
import { Time } from './format/time.js';

interface Change {
  field: string;
  /** Null if they are unknown. */
  values: { before: unknown; after: unknown } | null;
}

function Value({ field, value }: { field: string; value: unknown }) {
  if (value === '') return <span className="text-muted italic">empty</span>;
  if (typeof value === 'number' && field.endsWith('_at')) return <Time ms={value} show="full" />;
  if (value === null || value === undefined || typeof value === 'string') return <DataText>{value}</DataText>;
  return <DataText>{shortJson(value)}</DataText>;
}

/** Fields with their values before and after. */
export function ChangeTable({ changes }: { changes: readonly Change[] }) {
  return (
    <table
      aria-label="Changes"
      className="w-full table-fixed border-collapse text-sm [&_time]:whitespace-normal"
    >
      <thead>
        <tr className="border-b border-line text-muted">
          {['Field', 'Before', 'After'].map((heading) => (
            <th key={heading} scope="col" className="py-1.5 pe-3 text-start font-medium">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, values }) => (
          <tr key={field} className="border-b border-line align-top last:border-0">
            <th scope="row" className="py-1.5 pe-3 text-start font-normal">
              <DataText mono>{field}</DataText>
            </th>
            {values === null ? (
              <td colSpan={2} className="py-1.5 text-muted">
                Value not recorded
              </td>
            ) : (
              [values.before, values.after].map((value, index) => (
                <td key={index} className="py-1.5 pe-3">
                  <Value field={field} value={value} />
                </td>
              ))
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
