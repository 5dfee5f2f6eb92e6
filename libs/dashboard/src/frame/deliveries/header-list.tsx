import { DataText } from '../../ui/text/data-text.js';

/** Headers of a request or response, as text. */
export function HeaderList({ headers }: { headers: Record<string, string> }) {
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
      {Object.entries(headers).map(([name, value]) => (
        <li key={name}>
          <DataText mono className="text-muted">{`${name}:`}</DataText> <DataText mono>{value}</DataText>
        </li>
      ))}
    </ul>
  );
}
