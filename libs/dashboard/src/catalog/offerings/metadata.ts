const MOST = 4000;

/** Parses metadata: an object, null for none, or the reason why it is invalid. */
export function readMetadata(
  typed: string,
): { value: Record<string, unknown> | null; problem: null } | { problem: string } {
  if (typed.trim() === '') return { value: null, problem: null };
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch (error) {
    return { problem: `This is not JSON: ${(error as SyntaxError).message}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'Metadata is a JSON object: it starts with { and ends with }.' };
  const { length } = JSON.stringify(value);
  if (length > MOST)
    return { problem: `This has ${length.toLocaleString()} characters; at most 4,000 are allowed.` };
  return { value: value as Record<string, unknown>, problem: null };
}
