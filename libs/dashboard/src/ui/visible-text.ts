// Control characters, zero-width and bidirectional formatting, fillers, tags and lone surrogates: a person cannot see
// them, and some change how the text around them reads. Joiners stay where scripts and emoji need them, beside other
// than ASCII. Marks above or below one letter end somewhere: a flood of them would cover the lines around.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])|(?<=\p{M}{5})\p{M}/gu;

/** The text with characters that cannot be seen written as escapes, such as `\u202e`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char) => {
    const code = char.codePointAt(0)!;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** At most `max` characters of the text, never half of a pair, with an ellipsis when it was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}
