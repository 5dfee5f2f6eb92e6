// Control characters, zero-width and bidirectional formatting, fillers, tags and lone surrogates. They are invisible, and
// some change how the surrounding text reads. Joiners between non-ASCII characters remain, because scripts and emoji
// need them. Combining marks per letter are limited, because too many would cover other lines.
const hidden =
  /[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])|(?<=\p{M}{5})\p{M}/gu;

/** Replaces invisible characters with escapes such as `\u202e`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char) => {
    const code = char.codePointAt(0)!;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Truncates to at most `max` characters with an ellipsis, never inside a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}
