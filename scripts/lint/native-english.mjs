/** Phrases that a native speaker would not write here, each with what to write instead. */
const PHRASES = [
  [/\bsomebody\b/i, 'someone, or the role: a customer, a member, the caller'],
  [/\bnobody\b/i, 'no one, no customer, no caller'],
  [/\bwhoever\b/i, 'the caller, the owner'],
  [/\bheir\b/i, 'the new owner'],
  [/\bchores?\b/i, 'a store task'],
  [/\bwing\b/i, 'area'],
  [/\be-mails?\b/i, 'email'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/\bset aside\b/i, 'excluded'],
  [/\bstands? for\b/i, 'means, represents'],
  [/\b(?:is|are|was|were|been) told\b(?! apart)/i, 'receives, is notified, is reported'],
  [/\buntold\b/i, 'not emitted'],
  [/\bis none of\b/i, 'is not one of'],
  [/\bby itself\b/i, 'automatically, on its own, alone'],
];

/** A comment is a sentence or names the thing; these begin neither. */
const HEADLESS = /^(?:Whose|What|So many|Of (?:a|an|the|what|which|those|all)) (?!.*\?$)[^,;:]*$/;

/** A title begins with a verb in the singular; these words begin something else. */
const NO_VERB = /^(?:an?|are|every|is|no|nobody|of|one|somebody|that|the|what|whoever|whose)\s/i;

/** Text of a comment without the marks and the margin. */
const proseOf = (value) =>
  value
    .replace(/^\*/, '')
    .replace(/^\s*\*? ?/gm, '')
    .trim();

function firstSentence(prose) {
  return prose
    .split(/(?<=[.:;])\s/)[0]
    .replaceAll('\n', ' ')
    .replace(/\.$/, '');
}

/** Returns what is wrong with a text that people read, or null. */
export function problemOf(text) {
  const prose = text.replace(/`[^`]*`/g, '');
  for (const [pattern, better] of PHRASES) {
    const found = pattern.exec(prose);
    if (found) return `Instead of "${found[0]}" write: ${better}.`;
  }
  return null;
}

/** Returns what is wrong with a comment, or null. */
function problemOfComment(value) {
  const prose = proseOf(value);
  if (HEADLESS.test(firstSentence(prose))) return 'A comment is a sentence with a verb, or names the thing.';
  return problemOf(prose);
}

/** Returns whether a call defines a test: `it(…)`, `test.each(…)(…)`, … */
function isTest(callee) {
  if (callee.type === 'Identifier') return callee.name === 'it' || callee.name === 'test';
  const inner = callee.callee ?? callee.tag ?? callee.object;
  return inner !== undefined && isTest(inner);
}

/** Returns the start of a title, or null if it is not a text. */
function titleOf({ callee, arguments: [title] }) {
  if (title === undefined || !isTest(callee)) return null;
  if (title.type === 'TemplateLiteral') return title.quasis[0].value.raw;
  return title.type === 'Literal' && typeof title.value === 'string' ? title.value : null;
}

/**
 * Checks comments, titles of tests, and texts with at least two words. Code (template expressions, SQL, names) is not
 * checked.
 */
export const nativeEnglish = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const check = (node, message) => message && context.report({ loc: node.loc, message });
    const isSentence = (text) =>
      /[a-z] [a-z]/.test(text) && !/^\s*(?:--|SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER)\b/.test(text);
    const checkText = (node, text) => isSentence(text) && check(node, problemOf(text));
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          check(comment, problemOfComment(comment.value));
      },
      CallExpression(node) {
        const title = titleOf(node);
        if (title !== null && NO_VERB.test(title))
          check(node.arguments[0], 'A title begins with a verb in the singular: "expires grants …".');
      },
      Literal(node) {
        if (typeof node.value === 'string') checkText(node, node.value);
      },
      TemplateElement(node) {
        checkText(node, node.value.raw);
      },
      JSXText(node) {
        checkText(node, node.value);
      },
    };
  },
};
