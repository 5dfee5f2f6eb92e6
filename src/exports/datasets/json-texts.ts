interface Attribute {
  value: unknown;
  updated_at_ms: unknown;
}

/** Members of the keys of deleted rows, in their documented order. */
const keyMembers = ['store', 'store_transaction_id', 'renewal_number', 'is_sandbox', 'id'];

/** JavaScript compares UTF-16 units; the order of UTF-8 bytes is that of code points. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** JSON without lone surrogates, which UTF-8 cannot hold. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
}

/** Attributes by name, sorted, each with its value first. */
export function attributesText(json: string): string {
  const attributes = JSON.parse(json) as Record<string, Attribute>;
  const members = Object.keys(attributes)
    .sort(byCodePoint)
    .map((name) => {
      const { value, updated_at_ms } = attributes[name] as Attribute;
      return `${jsonText(name.toWellFormed())}:${jsonText({ value, updated_at_ms })}`;
    });
  return `{${members.join(',')}}`;
}

/** The key of a deleted row. */
export function keyText(json: string): string {
  const key = JSON.parse(json) as Record<string, unknown>;
  const members = keyMembers.filter((name) => name in key).map((name) => [name, key[name]]);
  return jsonText(Object.fromEntries(members));
}

/** Remembers the last text: adjacent rows often belong to one customer. */
export function remembering(convert: (json: string) => string): (json: string) => string {
  let last = '';
  let converted = '';
  return (json) => {
    if (json !== last) {
      converted = convert(json);
      last = json;
    }
    return converted;
  };
}
