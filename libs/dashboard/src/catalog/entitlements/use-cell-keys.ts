import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const steps: Record<string, readonly [rows: number, columns: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Arrow keys, Home and End move between the controls of a grid that is one tab stop. */
export function useCellKeys(rows: number) {
  const [at, setAt] = useState({ row: 0, column: 0 });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]');
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const [row = 0, column = 0] = cell.dataset.cell!.split(' ').map(Number);
    const end = event.currentTarget.querySelectorAll(`[data-cell^="${row} "]`).length - 1;
    const [down, across] = steps[event.key] ?? [0, 0];
    const turned = getComputedStyle(event.currentTarget).direction === 'rtl' ? -across : across;
    const wanted =
      event.key === 'Home'
        ? `${row} 0`
        : event.key === 'End'
          ? `${row} ${end}`
          : `${row + down} ${column + turned}`;
    if (wanted === `${row} ${column}`) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${wanted}"] input`)?.focus();
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const [row, column] = event.target.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(' ') ?? [];
    if (row !== undefined) setAt({ row: Number(row), column: Number(column) });
  };
  return {
    grid: { onKeyDown, onFocus },
    cell: (row: number, column: number) => ({ 'data-cell': `${row} ${column}` }),
    tabIndex: (row: number, column: number) =>
      row === Math.min(at.row, rows - 1) && column === at.column ? 0 : -1,
  };
}
