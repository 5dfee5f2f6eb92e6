interface SparklineProps {
  /** One sentence that describes the line. */
  label: string;
  values: readonly (number | null)[];
  /** Index of the first incomplete value. */
  incompleteFrom?: number;
  height?: number;
}

/** A small line without axes, for tiles. */
export function Sparkline({ label, values, incompleteFrom = values.length, height = 40 }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const high = Math.max(0, ...known);
  const low = Math.min(0, ...known);
  const at = (value: number, index: number) => {
    const x = (index / Math.max(1, values.length - 1)) * 100;
    const y = 38 - ((value - low) / (high - low || 1)) * 36;
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  };
  const path = (from: number, to: number) => {
    let pen = 'M';
    return values
      .map((value, index) => {
        if (value === null || index < from || index >= to) {
          pen = 'M';
          return '';
        }
        // A line of no length is a point, for a value without neighbors.
        const part = `${pen}${at(value, index)}${pen === 'M' ? 'h0' : ''}`;
        pen = 'L';
        return part;
      })
      .join('');
  };
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      height={height}
      className="block w-full overflow-visible"
      fill="none"
      stroke="var(--series-1)"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d="M0 38H100" stroke="var(--line)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
      <path d={path(0, incompleteFrom)} vectorEffect="non-scaling-stroke" />
      {incompleteFrom < values.length && (
        <path
          d={path(incompleteFrom - 1, values.length)}
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
