import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { IconButton } from '../../../../ui/button.js';
import { visibleText } from '../../../../ui/text/visible-text.js';
import type { Path } from '../../paywall.types.js';
import { useDesign } from '../design-context.js';
import { isInside, isSamePath, pointerOf } from '../document/json-path.js';
import { usePaywallDocument } from '../paywall-editor-context.js';
import { flatLayers, type Layer } from '../schema/layers.js';
import { AddDialog } from './add-dialog.js';
import { dropPath } from './insertion.js';
import { type Direction, movePath } from './layer-moves.js';
import { layerName } from './layer-names.js';
import { type DropPlace, LayerRow } from './layer-row.js';

const directions: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'in',
};

/** The components of the paywall as a tree. */
export function LayersTree() {
  const { document, dispatch, select, locale, canWrite } = usePaywallDocument();
  const { schema, root, layer: selected } = useDesign();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setAdding] = useState(false);
  const [dragged, setDragged] = useState<Layer | null>(null);
  const [drop, setDrop] = useState<DropPlace | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const tree = useRef<HTMLDivElement>(null);

  const isHidden = ({ path }: Layer) =>
    [...closed].some(
      (pointer) => pointer !== pointerOf(path) && `${pointerOf(path)}/`.startsWith(`${pointer}/`),
    );
  const rows = flatLayers(root).filter((one) => !isHidden(one));
  const nameOf = (one: Layer) => visibleText(layerName(schema, one, document, locale));
  const focus = (path: Path) => {
    select(path);
    // The row may be new, and is rendered with the changed document.
    requestAnimationFrame(() =>
      tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(pointerOf(path))}"]`)?.focus(),
    );
  };
  const toggle = ({ path }: Layer, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(pointerOf(path));
    else next.add(pointerOf(path));
    setClosed(next);
  };
  const move = (one: Layer, to: Path | null) => {
    if (!to || !canWrite || isInside(to, one.path)) return;
    const path = dispatch({ type: 'move', path: one.path, to });
    focus(path);
    setAnnouncement(`${nameOf(one)} moved`);
  };
  const remove = (one: Layer) => {
    if (!one.canRemove || !canWrite) return;
    const index = rows.findIndex(({ path }) => isSamePath(path, one.path));
    const rest = rows.filter(({ path }) => !isInside(path, one.path));
    dispatch({ type: 'remove', path: one.path });
    setAnnouncement(`${nameOf(one)} removed`);
    focus((rest[Math.max(0, index - 1)] ?? root).path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ path }) => isSamePath(path, selected.path));
    const row = rows[index];
    if (!row) return;
    const direction = directions[event.key];
    const isClosed = closed.has(pointerOf(row.path));
    const parent = rows.findLast(({ path }, place) => place < index && isInside(row.path, path));
    const go = (target: Layer | undefined) => target && focus(target.path);
    if (event.altKey && direction) move(row, movePath(schema, root, row, direction, document));
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (event.key === 'ArrowDown') go(rows[index + 1]);
    else if (event.key === 'ArrowUp') go(rows[index - 1]);
    else if (event.key === 'Home') go(rows[0]);
    else if (event.key === 'End') go(rows.at(-1));
    else if (event.key === 'ArrowRight' && isClosed) toggle(row, true);
    else if (event.key === 'ArrowRight') go(row.children[0]);
    else if (event.key === 'ArrowLeft' && !isClosed && row.children.length > 0) toggle(row, false);
    else if (event.key === 'ArrowLeft') go(parent);
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(row);
    else if (event.key === '+' && canWrite) setAdding(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const dropTo = (place: DropPlace) =>
    dragged && !isInside(place.layer.path, dragged.path)
      ? dropPath(schema, root, dragged, place.layer, place.where, document)
      : null;
  const onDragOver = (event: DragEvent, place: DropPlace) => {
    const isAllowed = dropTo(place) !== null;
    if (isAllowed) event.preventDefault();
    setDrop(isAllowed ? place : null);
  };
  const onDrop = (event: DragEvent, place: DropPlace) => {
    event.preventDefault();
    if (dragged) move(dragged, dropTo(place));
    setDragged(null);
    setDrop(null);
  };
  return (
    <section aria-labelledby="layers" className="flex min-h-0 flex-col">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <header className="flex h-10 shrink-0 items-center justify-between border-b border-line ps-3 pe-1.5">
        <h2 id="layers" className="font-semibold">
          Layers
        </h2>
        {canWrite && (
          <IconButton size="sm" icon="plus" label="Add a component" onClick={() => setAdding(true)} />
        )}
      </header>
      <div
        ref={tree}
        role="tree"
        aria-label="Layers"
        onKeyDown={onKeyDown}
        className="min-h-0 grow overflow-y-auto p-1.5"
      >
        {rows.map((row) => (
          <LayerRow
            key={pointerOf(row.path)}
            layer={row}
            name={nameOf(row)}
            level={rows.filter(({ path }) => isInside(row.path, path)).length}
            isSelected={isSamePath(row.path, selected.path)}
            isOpen={row.children.length > 0 ? !closed.has(pointerOf(row.path)) : null}
            drop={drop && isSamePath(drop.layer.path, row.path) ? drop.where : null}
            canWrite={canWrite}
            onSelect={() => select(row.path)}
            onToggle={(isOpen) => toggle(row, isOpen)}
            onDuplicate={() => focus(dispatch({ type: 'duplicate', path: row.path }))}
            onRemove={() => remove(row)}
            onMove={(direction) => move(row, movePath(schema, root, row, direction, document))}
            onAdd={() => {
              select(row.path);
              setAdding(true);
            }}
            onDragStart={() => setDragged(row)}
            onDragEnd={() => {
              setDragged(null);
              setDrop(null);
            }}
            onDragOver={onDragOver}
            onDrop={onDrop}
          />
        ))}
      </div>
      {isAdding && <AddDialog onClose={() => setAdding(false)} onAdded={focus} />}
    </section>
  );
}
