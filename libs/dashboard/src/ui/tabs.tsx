import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.js';
import { Num } from './format/money.js';

export interface Tab<Id extends string> {
  id: Id;
  label: ReactNode;
  count?: number | null;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  value: NoInfer<Id>;
  onChange: (id: Id) => void;
  /** The selected panel. */
  children?: ReactNode;
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A row of tabs. The value comes from the address. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, children }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const next = steps[event.key]?.(
      tabs.findIndex(({ id }) => id === value),
      tabs.length,
    );
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    onChange(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="flex overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`tab-${tab.id}`}
            aria-selected={tab.id === value}
            aria-controls={children !== undefined && tab.id === value ? `panel-${tab.id}` : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
            className={cx(
              '-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 px-3 font-medium whitespace-nowrap outline-offset-[-2px]! pointer-coarse:min-h-11',
              tab.id === value ? 'border-accent text-fg' : 'border-transparent text-muted hover:text-fg',
            )}
          >
            {tab.label}
            {tab.count !== undefined && tab.count !== null && (
              <span className="rounded-full bg-hover px-1.5 text-xs text-muted">
                <Num value={tab.count} />
              </span>
            )}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={`panel-${value}`} aria-labelledby={`tab-${value}`} className="pt-4">
          {children}
        </div>
      )}
    </>
  );
}
