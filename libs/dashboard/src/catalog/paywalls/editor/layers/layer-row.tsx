import type { DragEvent } from 'react';
import { IconButton } from '../../../../ui/button.js';
import { cx } from '../../../../ui/cx.js';
import { Icon } from '../../../../ui/icons.js';
import { Menu } from '../../../../ui/overlays/menu.js';
import { pointerOf } from '../document/json-path.js';
import type { Layer } from '../schema/layers.js';
import { LayerIcon } from './layer-icon.js';
import type { Direction } from './layer-moves.js';

export interface DropPlace {
  layer: Layer;
  where: 'before' | 'after' | 'inside';
}

interface LayerRowProps {
  layer: Layer;
  name: string;
  /** Depth in the tree, from 1. */
  level: number;
  isSelected: boolean;
  /** Whether its children are shown; null without children. */
  isOpen: boolean | null;
  drop: DropPlace['where'] | null;
  canWrite: boolean;
  onSelect: () => void;
  onToggle: (isOpen: boolean) => void;
  onAdd: () => void;
  onDuplicate: () => void;
  onRemove: () => void;
  onMove: (direction: Direction) => void;
  onDragStart: () => void;
  onDragEnd: () => void;
  onDragOver: (event: DragEvent, place: DropPlace) => void;
  onDrop: (event: DragEvent, place: DropPlace) => void;
}

/** The upper and lower quarter of a row are the places beside it. */
function placeOf({ clientY, currentTarget }: DragEvent, layer: Layer): DropPlace {
  const { top, height } = currentTarget.getBoundingClientRect();
  const share = (clientY - top) / height;
  return { layer, where: share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside' };
}

const dropMarks: Record<DropPlace['where'], string> = {
  before: 'shadow-[inset_0_2px_0_var(--accent)]',
  after: 'shadow-[inset_0_-2px_0_var(--accent)]',
  inside: 'outline-2 -outline-offset-2 outline-accent',
};

/** A layer with its name and actions. */
export function LayerRow(props: LayerRowProps) {
  const { layer, name, level, isSelected, isOpen, drop, canWrite } = props;
  const canMove = canWrite && layer.isItem;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={isOpen ?? undefined}
      aria-label={name}
      tabIndex={isSelected ? 0 : -1}
      data-path={pointerOf(layer.path)}
      draggable={canMove}
      onClick={props.onSelect}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        props.onDragStart();
      }}
      onDragEnd={props.onDragEnd}
      onDragOver={(event) => props.onDragOver(event, placeOf(event, layer))}
      onDrop={(event) => props.onDrop(event, placeOf(event, layer))}
      style={{ paddingInlineStart: `${(level - 1) * 0.75}rem` }}
      className={cx(
        'group flex h-8 cursor-default items-center gap-1.5 rounded-md pe-0.5 outline-offset-[-2px]! pointer-coarse:h-11',
        isSelected ? 'bg-chosen' : 'hover:bg-hover',
        drop && dropMarks[drop],
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => isOpen !== null && props.onToggle(!isOpen)}
        className={cx(
          'flex h-full w-5 shrink-0 items-center justify-center text-muted',
          isOpen === null && 'invisible',
        )}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} className="size-3.5!" />
      </button>
      <LayerIcon type={layer.type} />
      <span className="min-w-0 grow truncate">{name}</span>
      {isSelected && canWrite && layer.canRemove && (
        <span className="flex shrink-0" onClick={(event) => event.stopPropagation()}>
          <IconButton size="sm" icon="plus" label={`Add next to ${name}`} onClick={props.onAdd} />
          <Menu
            iconOnly
            size="sm"
            variant="ghost"
            label={`Actions for ${name}`}
            items={[
              ...(canMove
                ? [
                    { label: 'Move up', icon: 'arrow-up' as const, onSelect: () => props.onMove('up') },
                    { label: 'Move down', icon: 'arrow-down' as const, onSelect: () => props.onMove('down') },
                    {
                      label: 'Duplicate',
                      icon: 'copy' as const,
                      separator: true,
                      onSelect: props.onDuplicate,
                    },
                  ]
                : []),
              { label: 'Remove', icon: 'trash', danger: true, onSelect: props.onRemove },
            ]}
          />
        </span>
      )}
    </div>
  );
}
