import { Fragment, type ReactNode } from 'react';

/** Aligned pairs of label and value; stacked on a small screen. */
export function KeyValues({ items }: { items: readonly (readonly [label: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 sm:grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)] sm:gap-y-2">
      {items.map(([label, value], index) => (
        <Fragment key={index}>
          <dt className="text-muted max-sm:text-sm">{label}</dt>
          <dd className="min-w-0 break-words max-sm:mb-2.5">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
