import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Functions that make a statement of a name. */
const MAKERS = /^(statement|longStatement|acrossProjects|deletionOf|clearanceOf)$/;

const src = fileURLToPath(new URL('../../src', import.meta.url));

const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[];
};

/** The areas of src, lowest first. */
export const areas = forbidden
  .filter(({ name }) => name.startsWith('area-'))
  .map(({ name }) => name.slice('area-'.length));

export const areaOf = (feature: string): string => feature.split('/')[0] ?? '';

/** The feature of a file of src: its area and the folder in it. */
const featureOf = (file: string): string => file.split('/').slice(0, 2).join('/');

function filesOfSrc(): { file: string; text: string }[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('/migrations/'))
    .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));
}

/** The feature that each table belongs to: the one with its entity. */
export function ownersByEntity(): Map<string, string> {
  return new Map(
    filesOfSrc()
      .filter(({ file }) => file.endsWith('.entity.ts'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/@Entity\(\s*(?:\{\s*name: )?'(\w+)'/g)].map(
          ([, table = '']) => [table, featureOf(file)] as const,
        ),
      ),
  );
}

/** Matches the names that an expression can have; other expressions than literals match anything. */
function namePattern(expression: ts.Expression): RegExp | null {
  const escaped = (text: string): string => text.replaceAll('.', String.raw`\.`);
  if (ts.isStringLiteralLike(expression)) return new RegExp(`^${escaped(expression.text)}$`);
  if (!ts.isTemplateExpression(expression)) return null;
  const { head, templateSpans } = expression;
  return new RegExp(
    `^${escaped(head.text)}${templateSpans.map((span) => `.+${escaped(span.literal.text)}`).join('')}$`,
  );
}

/** The files of src that name statements, with what their names match. */
export function statementPlaces(): { file: string; feature: string; pattern: RegExp }[] {
  return filesOfSrc().flatMap(({ file, text }) => {
    if (!/([sS]tatement|deletionOf|clearanceOf)\(/.test(text)) return [];
    const found: { file: string; feature: string; pattern: RegExp }[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && MAKERS.test(node.expression.getText(source))) {
        const [name] = node.arguments;
        const pattern = name && namePattern(name);
        if (pattern) found.push({ file, feature: featureOf(file), pattern });
      }
      ts.forEachChild(node, visit);
    };
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    visit(source);
    return found;
  });
}

const beginsSql =
  /^\s*(WITH \w+ AS|SELECT .+ FROM|SELECT pg_|INSERT INTO \w+|UPDATE \w+ .*SET|DELETE FROM \w+)\b/s;

/** The files of src that contain a statement, or import the texts of statements. */
export function filesWithSql(): string[] {
  return filesOfSrc()
    .filter(({ file, text }) => {
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
      let found = false;
      const visit = (node: ts.Node): void => {
        found ||=
          (ts.isCallExpression(node) && MAKERS.test(node.expression.getText(source))) ||
          (ts.isImportDeclaration(node) &&
            node.importClause !== undefined &&
            /\.sql\.js'$/.test(node.moduleSpecifier.getText(source))) ||
          ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) &&
            beginsSql.test(node.getText(source).slice(1)));
        if (!found) ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    })
    .map(({ file }) => file)
    .sort();
}

/** The feature that registers the rows of each table for merges and erasures of customers. */
export function customerRowPlaces(): Map<string, string> {
  return new Map(
    filesOfSrc().flatMap(({ file, text }) =>
      [...text.matchAll(/^customerRows\('(\w+)'/gm)].map(
        ([, table = '']) => [table, featureOf(file)] as const,
      ),
    ),
  );
}
