import { useId, type ReactNode } from 'react';
import { cx } from './cx.js';

interface PanelProps {
  title?: ReactNode;
  /** One muted line below the title. */
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** False for lists and tables, which extend to the edges. */
  padded?: boolean;
  /** Places title and description beside the content in wide windows. For settings. */
  beside?: boolean;
  className?: string;
}

/** A card with an optional title row. */
export function Panel({
  title,
  description,
  actions,
  children,
  padded = true,
  beside,
  className,
}: PanelProps) {
  const id = useId();
  const header = title !== undefined || actions !== undefined;
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={cx(
        'min-w-0 overflow-clip rounded-md border border-line bg-panel',
        beside && 'lg:grid lg:grid-cols-[minmax(14rem,1fr)_minmax(0,2.5fr)]',
        className,
      )}
    >
      {header && (
        <header
          className={cx(
            'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5',
            !padded && 'border-b border-line',
            beside && 'lg:content-start lg:items-start lg:py-4',
          )}
        >
          <div className="min-w-0">
            {title !== undefined && (
              <h2 id={id} className="text-base font-semibold">
                {title}
              </h2>
            )}
            {description && <p className="text-sm text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={padded ? cx('px-4 pb-4', header ? 'pt-1' : 'pt-4', beside && 'lg:pt-4') : undefined}>
        {children}
      </div>
    </section>
  );
}
