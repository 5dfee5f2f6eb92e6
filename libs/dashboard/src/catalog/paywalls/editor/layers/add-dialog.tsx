import { useState } from 'react';
import { cx } from '../../../../ui/cx.js';
import { Dialog } from '../../../../ui/overlays/dialog.js';
import { visibleText } from '../../../../ui/text/visible-text.js';
import type { Path } from '../../paywall.types.js';
import { useDesign } from '../design-context.js';
import type { DocumentChange } from '../document/document-changes.js';
import { valueAt } from '../document/json-path.js';
import { usePaywallDocument } from '../paywall-editor-context.js';
import { contentPath, layerAt } from '../schema/layers.js';
import { fieldsOf } from '../schema/fields.js';
import { newLayer, newValue } from '../schema/new-value.js';
import { typeTitle } from '../schema/titles.js';
import { insertionsAt } from './insertion.js';
import { LayerIcon } from './layer-icon.js';
import { layerName } from './layer-names.js';

interface AddDialogProps {
  onClose: () => void;
  onAdded: (path: Path) => void;
}

/** Adds a component inside the selected layer, or after it. */
export function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const { document, dispatch, locale } = usePaywallDocument();
  const { schema, root, layer, newValues } = useDesign();
  const own = insertionsAt(schema, root, layer, document);
  // The screen itself has no list; its main stack has.
  const insertions = own.length > 0 ? own : insertionsAt(schema, root, layerAt(root, contentPath), document);
  const [where, setWhere] = useState(insertions[0]?.where);
  const chosen = insertions.find((one) => one.where === where) ?? insertions[0];
  const name = visibleText(layerName(schema, layer, document, locale));
  const apply = (change: DocumentChange) => {
    onClose();
    onAdded(dispatch(change));
  };
  const add = (type: string) => {
    if (!chosen) return;
    const { value: item, texts } = newLayer(schema, type, newValues);
    apply({ type: 'insert', path: chosen.path, item, texts });
  };
  const edges = fieldsOf(schema, root.type).filter(
    ({ name: slot, kind }) => kind === 'layer' && valueAt(document, [...root.path, slot]) === undefined,
  );
  return (
    <Dialog open onClose={onClose} title="Add a component">
      {insertions.length > 1 && (
        <div
          role="radiogroup"
          aria-label="Place"
          className="mb-4 inline-flex max-w-full rounded-md border border-line p-0.5"
        >
          {insertions.map((one) => (
            <label
              key={one.where}
              className={cx(
                'flex h-7 min-w-0 cursor-pointer items-center rounded-sm px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11',
                one.where === chosen?.where ? 'bg-chosen font-medium' : 'text-muted hover:text-fg',
              )}
            >
              <input
                type="radio"
                name="where"
                className="sr-only"
                checked={one.where === chosen?.where}
                onChange={() => setWhere(one.where)}
              />
              <span className="truncate">{one.where === 'inside' ? `Inside ${name}` : `After ${name}`}</span>
            </label>
          ))}
        </div>
      )}
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {chosen?.types.map((type, index) => (
          <TypeButton
            key={type}
            type={type}
            isFirst={index === 0}
            label={typeTitle(schema, type)}
            onClick={() => add(type)}
          />
        ))}
      </ul>
      {edges.length > 0 && (
        <>
          <h3 className="mt-4 mb-2 text-sm font-medium text-muted">Above and below the content</h3>
          <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
            {edges.map((field) => (
              <TypeButton
                key={field.name}
                type={field.definition ?? ''}
                label={typeTitle(schema, field.definition ?? '')}
                onClick={() =>
                  apply({
                    type: 'set',
                    path: [...root.path, field.name],
                    ...newValue(schema, field, newValues),
                  })
                }
              />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

interface TypeButtonProps {
  type: string;
  label: string;
  isFirst?: boolean;
  onClick: () => void;
}

function TypeButton({ type, label, isFirst, onClick }: TypeButtonProps) {
  return (
    <li>
      <button
        type="button"
        data-autofocus={isFirst || undefined}
        onClick={onClick}
        className="flex min-h-11 w-full items-center gap-2 rounded-md border border-line px-3 text-start hover:border-edge hover:bg-hover"
      >
        <LayerIcon type={type} />
        {label}
      </button>
    </li>
  );
}
