import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, type ReactNode, type Ref, type RefObject } from 'react';
import { RowGap } from './data-list-row.js';

interface RowsInViewProps {
  table: RefObject<HTMLTableElement | null>;
  /** Offset of the table in the document. */
  top: number;
  count: number;
  keyOf: (index: number) => string;
  draw: (index: number, measure: (element: HTMLElement | null) => void) => ReactNode;
  /** Index of the focused row, or -1. */
  focused: number;
  /** Called after other rows were rendered. */
  onDrawn: () => void;
  /** Called when the last screenful becomes visible. */
  onEndReached?: () => void;
  /** Renders a row that may be out of view. */
  reveal: Ref<(index: number) => void>;
}

/** The visible rows of a long list and those nearby, with empty space for the others. */
export default function RowsInView(props: RowsInViewProps) {
  const { table, top, count, keyOf, draw, focused, onDrawn, onEndReached, reveal } = props;
  const virtual = useWindowVirtualizer({
    count,
    // Two-line rows are higher, so each row is measured when it appears.
    estimateSize: () => table.current?.querySelector<HTMLElement>('.ui-row')?.offsetHeight ?? 36,
    overscan: 8,
    scrollMargin: top,
    getItemKey: keyOf,
    // The focused row stays rendered, or the keyboard would start over.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (focused < 0 || focused >= count || shown.includes(focused)) return shown;
      return [...shown, focused].sort((a, b) => a - b);
    },
  });
  useImperativeHandle(reveal, () => (index: number) => virtual.scrollToIndex(index, { align: 'auto' }));
  useEffect(onDrawn);

  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  const isEnd = (last?.index ?? -1) >= count - 20;
  useEffect(() => {
    if (isEnd) onEndReached?.();
  }, [isEnd, count, onEndReached]);
  return (
    <>
      {items.flatMap((item, position) => [
        <RowGap
          key={`gap-${item.key}`}
          height={item.start - (position > 0 ? items[position - 1]!.end : top)}
        />,
        draw(item.index, virtual.measureElement),
      ])}
      <RowGap height={virtual.getTotalSize() - (last ? last.end - top : 0)} />
    </>
  );
}
