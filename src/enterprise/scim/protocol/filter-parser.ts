import { attributeNamed } from './attribute.js';
import { type AttributePath, parseAttributePath } from './attribute-path.js';
import { type Comparison, comparisons, type Filter, type Literal } from './filter.js';
import { type Token, tokensOf } from './filter-lexer.js';
import type { ResourceType } from './resource-type.js';
import { scimError } from './scim-error.js';

const MAX_DEPTH = 20;
const ORDERED = new Set<Comparison>(['gt', 'ge', 'lt', 'le']);
const OF_TEXTS = new Set<Comparison>(['co', 'sw', 'ew']);
const literals = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Parses an attribute path; returns null if no schema has it. @throws ApiError 400 */
type ReadPath = (text: string) => AttributePath | null;

function invalid(message: string): Error {
  return scimError('invalidFilter', message);
}

/** Parses paths from the top of a resource. */
function pathsOf(type: ResourceType): ReadPath {
  return (text) => {
    const path = parseAttributePath(type, text);
    if (path !== 'malformed') return path;
    throw invalid(`${JSON.stringify(text)} is not an attribute.`);
  };
}

export function isSubName(text: string): boolean {
  return /^(?:[a-z][\w-]*|\$ref)$/i.test(text);
}

/** Parses paths inside the brackets after `parent`: names of sub-attributes. */
export function subPathsOf(parent: AttributePath | null): ReadPath {
  return (text) => {
    if (!isSubName(text)) throw invalid(`${JSON.stringify(text)} is not a sub-attribute.`);
    if (parent === null) return null;
    if (parent.attribute === null) return { ...parent, sub: text, subAttribute: null };
    const found = attributeNamed(parent.attribute.subAttributes ?? [], text);
    return found && { ...parent, sub: found.name, subAttribute: found };
  };
}

/** Recursive descent. `or` has the lowest precedence, then `and`, then `not`. */
class FilterParser {
  private next = 0;
  private depth = 0;

  private path: ReadPath;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly top: ReadPath,
    private readonly isInBrackets = false,
  ) {
    this.path = top;
  }

  whole(): Filter {
    const filter = this.disjunction();
    const token = this.tokens[this.next];
    if (token) throw invalid(`The filter is not valid at position ${token.at + 1}: it should end here.`);
    return filter;
  }

  private disjunction(): Filter {
    return this.joined('or', () => this.joined('and', () => this.term()));
  }

  private joined(word: 'and' | 'or', part: () => Filter): Filter {
    const parts = [part()];
    while (this.takeWord(word)) parts.push(part());
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: word, parts };
  }

  private term(): Filter {
    if (this.isWord('not') && this.isPunctuation('(', 1)) {
      this.next++;
      return { kind: 'not', part: this.grouped() };
    }
    if (this.isPunctuation('(')) return this.grouped();
    const token = this.tokens[this.next++];
    if (token?.kind !== 'word') throw this.unexpected('an attribute', token);
    const path = this.path(token.text);
    return this.isPunctuation('[') ? this.element(path) : this.condition(path);
  }

  private grouped(): Filter {
    this.expect('(');
    const filter = this.deeper(() => this.disjunction());
    this.expect(')');
    return filter;
  }

  private element(path: AttributePath | null): Filter {
    if (this.isInBrackets || this.path !== this.top || (path && (path.name === null || path.sub !== null)))
      throw invalid(
        'Only multi-valued attributes can have a filter in brackets, and filters cannot be nested.',
      );
    this.expect('[');
    const outer = this.path;
    this.path = subPathsOf(path);
    const filter = this.deeper(() => this.disjunction());
    this.expect(']');
    if (!this.isPunctuation('.')) {
      this.path = outer;
      return { kind: 'element', path, filter };
    }
    // Entra ID writes `emails[type eq "work"].value eq "x"`: the same element must have this value.
    this.next++;
    const token = this.tokens[this.next++];
    if (token?.kind !== 'word') throw this.unexpected('a sub-attribute', token);
    const condition = this.condition(this.path(token.text));
    this.path = outer;
    return { kind: 'element', path, filter: { kind: 'and', parts: [filter, condition] } };
  }

  private condition(path: AttributePath | null): Filter {
    const token = this.tokens[this.next++];
    const word = token?.kind === 'word' ? token.text.toLowerCase() : null;
    if (word === 'pr') return { kind: 'present', path };
    const operator = comparisons.find((known) => known === word);
    if (!operator) throw this.unexpected('an operator', token);
    const value = this.literal();
    assertComparable(path, operator, value);
    return { kind: 'compare', path, operator, value };
  }

  private literal(): Literal {
    const token = this.tokens[this.next++];
    if (token?.kind === 'string') return token.text;
    if (token?.kind === 'number') return token.value;
    const value = token?.kind === 'word' ? literals.get(token.text.toLowerCase()) : undefined;
    if (value === undefined) throw this.unexpected('a value', token);
    return value;
  }

  private deeper<T>(work: () => T): T {
    if (++this.depth > MAX_DEPTH) throw invalid(`The filter nests deeper than ${MAX_DEPTH} levels.`);
    const result = work();
    this.depth--;
    return result;
  }

  private isWord(text: string): boolean {
    const token = this.tokens[this.next];
    return token?.kind === 'word' && token.text.toLowerCase() === text;
  }

  private takeWord(text: string): boolean {
    if (!this.isWord(text)) return false;
    this.next++;
    return true;
  }

  private isPunctuation(text: string, ahead = 0): boolean {
    const token = this.tokens[this.next + ahead];
    return token?.kind === 'punctuation' && token.text === text;
  }

  private expect(text: string): void {
    if (!this.isPunctuation(text)) throw this.unexpected(`"${text}"`, this.tokens[this.next]);
    this.next++;
  }

  private unexpected(wanted: string, token: Token | undefined): Error {
    if (!token) return invalid(`The filter ends where ${wanted} should follow.`);
    return invalid(`The filter is not valid at position ${token.at + 1}: ${wanted} should follow.`);
  }
}

function assertComparable(path: AttributePath | null, operator: Comparison, value: Literal): void {
  const type = (path?.subAttribute ?? path?.attribute)?.type;
  const isOrderless = type === 'boolean' || type === 'binary' || typeof value === 'boolean' || value === null;
  if (ORDERED.has(operator) && isOrderless) throw invalid(`${operator} cannot compare such values.`);
  if (OF_TEXTS.has(operator) && (typeof value !== 'string' || type === 'boolean'))
    throw invalid(`${operator} compares texts only.`);
  if (
    type === 'dateTime' &&
    typeof value === 'string' &&
    !OF_TEXTS.has(operator) &&
    Number.isNaN(Date.parse(value))
  )
    throw invalid(`${JSON.stringify(value)} is not a time.`);
}

/** @throws ApiError 400 invalidFilter */
export function parseFilter(type: ResourceType, text: string): Filter {
  return new FilterParser(tokensOf(text), pathsOf(type)).whole();
}

/** The filter in brackets of a PATCH path. @throws ApiError 400 invalidFilter */
export function parseElementFilter(parent: AttributePath, text: string): Filter {
  return new FilterParser(tokensOf(text), subPathsOf(parent), true).whole();
}
