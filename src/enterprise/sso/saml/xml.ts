import { DOMParser, onWarningStopParsing, type Document, type Element, type Node } from '@xmldom/xmldom';
import { scanXml } from './xml-scan.js';

export class XmlProblem extends Error {}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;
const COMMENT = 8;

/** The only processing instruction that is accepted, because every parser handles it. */
const DECLARATION =
  /^\uFEFF?<\?xml\s+version=(["'])1\.0\1(?:\s+encoding=(["'])utf-8\2)?(?:\s+standalone=(["'])(?:yes|no)\3)?\s*\?>/i;

/**
 * Parses a document within the limits of the scan. Rejects a DOCTYPE (and therefore entities) and processing
 * instructions, which parsers may interpret differently. Warnings are errors.
 * @throws XmlProblem
 */
export function parseXml(text: string): Document {
  const body = text
    .replace(DECLARATION, '')
    .replace(/^\uFEFF/, '')
    .trimStart();
  // Also rejected inside comments, because no identity provider writes these.
  if (/<!DOCTYPE|<!ENTITY/i.test(body)) throw new XmlProblem('The document has a DOCTYPE.');
  if (body.includes('<?')) throw new XmlProblem('The document has a processing instruction.');
  if (body.includes('\0')) throw new XmlProblem('The document has a NUL character.');
  const problem = scanXml(body);
  if (problem !== null) throw new XmlProblem(problem);
  let document: Document;
  try {
    document = new DOMParser({ onError: onWarningStopParsing }).parseFromString(body, 'text/xml');
  } catch {
    throw new XmlProblem('The document is not well-formed.');
  }
  assertPlain(document);
  return document;
}

/** Applies the same rule to the parsed tree. @throws XmlProblem */
function assertPlain(document: Document): void {
  for (let node: Node | null = document.firstChild; node; node = following(node)) {
    if (![ELEMENT, TEXT, CDATA, COMMENT].includes(node.nodeType)) {
      throw new XmlProblem('The document has a node of a kind that is not accepted.');
    }
  }
}

/** Returns the next node in document order. */
function following(node: Node): Node | null {
  if (node.firstChild) return node.firstChild;
  for (let at: Node | null = node; at; at = at.parentNode) if (at.nextSibling) return at.nextSibling;
  return null;
}

export function rootOf(document: Document): Element {
  const root = document.documentElement;
  if (!root) throw new XmlProblem('The document is empty.');
  return root;
}

export function childElements(parent: Element): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === ELEMENT) found.push(node as Element);
  }
  return found;
}

export function isNamed(element: Element, namespace: string, localName: string): boolean {
  return element.localName === localName && element.namespaceURI === namespace;
}

export function childrenNamed(parent: Element, namespace: string, localName: string): Element[] {
  return childElements(parent).filter((child) => isNamed(child, namespace, localName));
}

/** Returns all elements in document order. */
export function allElements(document: Document): Element[] {
  return [...document.getElementsByTagName('*')];
}

/** Returns the whole text, including parts after a comment. */
export function textOf(element: Element): string {
  return (element.textContent ?? '').replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}

/** Returns null if the attribute is missing; an empty value counts. */
export function attributeOf(element: Element, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null;
}

export function hasComment(element: Element): boolean {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === COMMENT || (node.nodeType === ELEMENT && hasComment(node as Element))) return true;
  }
  return false;
}

const xmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => xmlEscapes[character] as string);
}
