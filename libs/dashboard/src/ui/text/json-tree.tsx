import { useState } from 'react';
import { DataText } from './data-text.js';
import { Icon } from '../icons.js';

/** Initial number of rendered children per node. */
const firstChildren = 100;

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A JSON value. Its children are rendered only while it is open, so depth and size cost nothing. */
export function JsonNode({ name, value, open }: { name?: string; value: unknown; open: number }) {
  const [shown, setShown] = useState(open > 0);
  const [count, setCount] = useState(firstChildren);
  const label = name !== undefined && (
    <>
      <DataText className="text-accent" max={200}>
        {name}
      </DataText>
      <span className="text-muted">: </span>
    </>
  );
  if (!isTree(value)) {
    return (
      <div className="ps-5 whitespace-pre-wrap">
        {label}
        <JsonLeaf value={value} />
      </div>
    );
  }
  const entries: [string, unknown][] = Object.entries(value);
  const list = Array.isArray(value);
  return (
    <div>
      <button
        type="button"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
        className="flex min-h-6 items-center rounded-sm text-start hover:bg-hover"
      >
        <Icon name={shown ? 'chevron-down' : 'chevron-right'} className="me-1 text-muted" />
        <span>
          {label}
          <span className="text-muted">
            {list ? '[' : '{'}
            {!shown &&
              ` ${list ? (entries.length === 1 ? '1 item' : `${entries.length} items`) : entries.length === 1 ? '1 key' : `${entries.length} keys`} ${list ? ']' : '}'}`}
          </span>
        </span>
      </button>
      {shown && (
        <div className="ms-2 border-s border-line ps-2">
          {entries.slice(0, count).map(([key, child]) => (
            <JsonNode key={key} name={list ? undefined : key} value={child} open={open - 1} />
          ))}
          {entries.length > count && (
            <button
              type="button"
              onClick={() => setCount(count + 10 * firstChildren)}
              className="ms-5 min-h-6 text-accent hover:underline"
            >
              {`Show ${(entries.length - count).toLocaleString('en')} more`}
            </button>
          )}
        </div>
      )}
      {shown && <div className="ps-5 text-muted">{list ? ']' : '}'}</div>}
    </div>
  );
}

/** Initial number of rendered characters of a string. */
const firstText = 1000;

function JsonLeaf({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string') {
    return <span className={value === null ? 'text-muted' : 'text-warn'}>{String(value)}</span>;
  }
  return (
    <>
      <DataText className="text-good" max={whole ? 100_000 : firstText}>
        {JSON.stringify(value)}
      </DataText>
      {!whole && value.length > firstText && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="ms-2 min-h-6 text-accent hover:underline"
        >
          {`Show ${(value.length - firstText).toLocaleString('en')} more`}
        </button>
      )}
    </>
  );
}
