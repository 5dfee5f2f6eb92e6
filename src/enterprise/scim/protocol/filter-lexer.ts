import { scimError } from './scim-error.js';

export type Token =
  | { kind: 'word'; text: string; at: number }
  | { kind: 'string'; text: string; at: number }
  | { kind: 'number'; value: number; at: number }
  | { kind: 'punctuation'; text: '(' | ')' | '[' | ']' | '.'; at: number };

const MAX_LENGTH = 4000;
const SPACE = /\s+/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w:])/iy;
/** Excludes a trailing dot, which appears only after `]`. */
const WORD = /[a-z$_][\w$-]*(?:[.:][\w$-]+)*/iy;

function problem(at: number, what: string): Error {
  return scimError('invalidFilter', `The filter is not valid at position ${at + 1}: ${what}.`);
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function unquoted(raw: string, at: number): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    throw problem(at, 'the text is not a JSON string');
  }
}

/** @throws ApiError 400 invalidFilter */
export function tokensOf(text: string): Token[] {
  if (text.length > MAX_LENGTH)
    throw scimError('invalidFilter', `The filter is longer than ${MAX_LENGTH} characters.`);
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? '';
    const space = match(SPACE, text, at);
    if (space !== null) {
      at += space.length;
      continue;
    }
    if ('()[].'.includes(character)) {
      tokens.push({ kind: 'punctuation', text: character as '(', at });
      at++;
      continue;
    }
    const quoted = character === '"' ? match(STRING, text, at) : null;
    const number = quoted === null ? match(NUMBER, text, at) : null;
    const word = quoted ?? number ?? match(WORD, text, at);
    if (word === null) throw problem(at, `${JSON.stringify(character)} is not expected here`);
    if (quoted !== null) tokens.push({ kind: 'string', text: unquoted(quoted, at), at });
    else if (number !== null) tokens.push({ kind: 'number', value: Number(number), at });
    else tokens.push({ kind: 'word', text: word, at });
    at += word.length;
  }
  return tokens;
}
