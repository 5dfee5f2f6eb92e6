import { parseXml, XmlProblem } from './xml.js';

const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');
const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);

function problemOf(text: string): string | null {
  try {
    parseXml(text);
    return null;
  } catch (error) {
    if (error instanceof XmlProblem) return error.message;
    throw error;
  }
}

describe('an XML document', () => {
  it.each([
    ['100 levels', nested(100)],
    ['5,000 tags', `<a>${'<b/>'.repeat(4_999)}</a>`],
    ['200 namespace declarations', `<a>${repeated(200, (index) => `<b xmlns:n${index}="n"/>`)}</a>`],
    ['100 attributes of a tag', `<a ${repeated(100, (index) => `n${index}="" `)}/>`],
    ['tags within values, comments and CDATA', `<a b='/>'><!-- <a><a> --><![CDATA[<a><a>]]>/></a>`],
    ['a long text', `<a>${'x'.repeat(1_000_000)}</a>`],
  ])('accepts %s', (_name, text) => {
    expect(problemOf(text)).toBeNull();
  });

  it.each([
    ['101 levels', nested(101), 'nested too deeply'],
    ['levels hidden by text', `${'<a>/>'.repeat(101)}${'</a>'.repeat(101)}`, 'nested too deeply'],
    ['levels hidden by values', `${'<a b="/>">'.repeat(101)}${'</a>'.repeat(101)}`, 'nested too deeply'],
    ['5,001 tags', `<a>${'<b/>'.repeat(5_000)}</a>`, 'more than 5000 tags'],
    ['5,001 comments', `<a>${'<!---->'.repeat(5_001)}</a>`, 'more than 5000 tags'],
    [
      '201 namespace declarations',
      `<a>${repeated(201, (index) => `<b xmlns:n${index}='n'/>`)}</a>`,
      'more than 200 namespace declarations',
    ],
    ['101 attributes of a tag', `<a ${repeated(101, (index) => `n${index}="" `)}/>`, 'too many attributes'],
    ['too many attributes', `<a>${'<b c="" d="" e=""/>'.repeat(4_000)}</a>`, 'too many attributes'],
    ['no end of a tag', '<a b="', 'not well-formed'],
    ['no end of a comment', '<a><!-- ', 'not well-formed'],
    ['another declaration', '<a><!ELEMENT b ANY></a>', 'not well-formed'],
  ])('refuses %s', (_name, text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});
