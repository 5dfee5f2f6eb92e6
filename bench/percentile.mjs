/** The value below which a share (0 to 1) of the values lies; NaN of no values. */
export const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
