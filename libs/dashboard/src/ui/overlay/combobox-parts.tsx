import { Combobox as Base } from '@base-ui/react/combobox';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { useRef, useState, type ReactNode } from 'react';
import { cx } from '../cx.js';
import { controlClass, Field } from '../field.js';
import { Icon } from '../icons.js';
import { uiText } from '../ui.text.js';
import { visibleText } from '../visible-text.js';
import { type ComboboxOption, type ComboboxShared } from '../combobox.js';

/** Options by value: those given, and those chosen before, which a later search no longer brings. */
function useKnown(options: readonly ComboboxOption[]) {
  const [chosen, setChosen] = useState<readonly ComboboxOption[]>([]);
  const find = (value: string): ComboboxOption =>
    [...options, ...chosen].find((option) => option.value === value) ?? { value, label: value };
  const remember = (picked: readonly ComboboxOption[]) => setChosen([...chosen, ...picked]);
  return [find, remember] as const;
}

/** What both forms hand to the root: who searches, and how options compare. */
const rootProps = ({ options, onSearch }: ComboboxShared) => ({
  items: options,
  // Who asks the server filters there.
  filter: onSearch ? null : undefined,
  itemToStringLabel: (option: ComboboxOption) => visibleText(option.label),
  isItemEqualToValue: (a: ComboboxOption, b: ComboboxOption) => a.value === b.value,
  autoHighlight: true,
});

function Options({ loading, anchor }: { loading?: boolean; anchor?: React.RefObject<HTMLElement | null> }) {
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={4} collisionPadding={8} anchor={anchor} className="z-50 outline-none">
        <Base.Popup className="max-h-[min(20rem,var(--available-height))] w-(--anchor-width) overflow-y-auto rounded-md border border-line bg-panel py-1 text-fg shadow-overlay">
          <Base.Status className="px-3 text-sm text-muted not-empty:py-1.5">
            {loading && uiText.searching}
          </Base.Status>
          <Base.Empty className="px-3 text-sm text-muted not-empty:py-1.5">
            {!loading && uiText.noResults}
          </Base.Empty>
          <Base.List>
            {(option: ComboboxOption) => (
              <Base.Item
                key={option.value}
                value={option}
                className="flex min-h-8 items-center gap-2 px-3 py-1 select-none data-highlighted:bg-hover pointer-coarse:min-h-11"
              >
                <span className="min-w-0 flex-1 break-words">
                  {visibleText(option.label)}
                  {option.hint && (
                    <span className="block text-sm text-muted">{visibleText(option.hint)}</span>
                  )}
                </span>
                <Base.ItemIndicator>
                  <Icon name="check" className="text-accent" />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

const fieldOf = ({ label, hint, error, optional, labelHidden, className }: ComboboxShared) => ({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
});

const Shell = ({ children }: { children: ReactNode }) => (
  <CSPProvider disableStyleElements>{children}</CSPProvider>
);

export function SingleParts(props: ComboboxShared & { value: string; onChange: (value: string) => void }) {
  const { value, onChange, onSearch, loading, placeholder, options } = props;
  const [find, remember] = useKnown(options);
  return (
    <Shell>
      <Field {...fieldOf(props)}>
        {(ids) => (
          <Base.Root
            {...rootProps(props)}
            value={value === '' ? null : find(value)}
            onValueChange={(option: ComboboxOption | null) => {
              if (option) remember([option]);
              onChange(option?.value ?? '');
            }}
            onInputValueChange={(text, { reason }) => reason === 'input-change' && onSearch?.(text)}
          >
            <Base.InputGroup className="relative">
              <Base.Input {...ids} placeholder={placeholder} className={cx(controlClass, 'h-8 pe-14')} />
              <span className="absolute inset-y-0 end-1 flex items-center text-muted">
                <Base.Clear
                  aria-label={uiText.clear}
                  className="grid size-6 place-items-center rounded-sm hover:bg-hover"
                >
                  <Icon name="x" className="size-3.5!" />
                </Base.Clear>
                <Base.Trigger
                  aria-label={uiText.open}
                  className="grid size-6 place-items-center rounded-sm hover:bg-hover"
                >
                  <Icon name="chevron-down" />
                </Base.Trigger>
              </span>
            </Base.InputGroup>
            <Options loading={loading} />
          </Base.Root>
        )}
      </Field>
    </Shell>
  );
}

export function MultiParts(
  props: ComboboxShared & { value: readonly string[]; onChange: (values: string[]) => void },
) {
  const { value, onChange, onSearch, loading, placeholder, options } = props;
  const [find, remember] = useKnown(options);
  const box = useRef<HTMLDivElement>(null);
  return (
    <Shell>
      <Field {...fieldOf(props)}>
        {(ids) => (
          <Base.Root
            {...rootProps(props)}
            multiple
            value={value.map(find)}
            onValueChange={(picked: ComboboxOption[]) => {
              remember(picked);
              onChange(picked.map((option) => option.value));
            }}
            onInputValueChange={(text, { reason }) => reason === 'input-change' && onSearch?.(text)}
          >
            <Base.Chips
              ref={box}
              className={cx(
                controlClass,
                'flex min-h-8 flex-wrap items-center gap-1 px-1! py-0.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              )}
            >
              {value.map((one) => (
                <Base.Chip
                  key={one}
                  className="inline-flex max-w-full items-center gap-0.5 rounded-sm bg-hover ps-1.5 text-sm"
                >
                  <span className="truncate">{visibleText(find(one).label)}</span>
                  <Base.ChipRemove
                    aria-label={uiText.remove(find(one).label)}
                    className="grid size-6 place-items-center rounded-sm text-muted hover:text-fg"
                  >
                    <Icon name="x" className="size-3.5!" />
                  </Base.ChipRemove>
                </Base.Chip>
              ))}
              <Base.Input
                {...ids}
                placeholder={value.length === 0 ? placeholder : undefined}
                className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-none placeholder:text-muted"
              />
            </Base.Chips>
            <Options loading={loading} anchor={box} />
          </Base.Root>
        )}
      </Field>
    </Shell>
  );
}
