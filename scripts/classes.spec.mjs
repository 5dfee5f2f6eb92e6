import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Every class of src that Nest constructs. */
const classes = readdirSync(src, { recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(src, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    return source.statements.filter(ts.isClassDeclaration).flatMap((declaration) => {
      const decorators = (ts.getDecorators(declaration) ?? []).map(({ expression }) => expression.getText());
      const made = decorators.find((text) => /^(Injectable|Controller|Catch|Command)\(/.test(text));
      if (!made) return [];
      const constructor = declaration.members.find(ts.isConstructorDeclaration);
      const collaborators = (constructor?.parameters ?? []).map(({ type }) => type?.getText() ?? '');
      return [
        { name: declaration.name.text, file, isController: made.startsWith('Controller'), collaborators },
      ];
    });
  });

/** Database, clock, log, config, audit, rate limits, mail and metrics: they are not counted as collaborators. */
const infrastructure =
  /^(DatabaseService|DataSource|Clock|DatabaseClockService|LogService|Config|AuditService|ProjectWritesService|OrganizationWritesService|RateLimiterService|MailsService|\w+Metrics)$/;

/** Roles of files: `products.service.ts`. */
const role =
  /\.(service|repository|controller|job|guard|filter|interceptor|strategy|pipe|client|connection|notifications|recorder|provider|factory|metrics)\.ts$/;

describe('classes that Nest constructs', () => {
  it('finds more than 200 classes', () => {
    expect(classes.length).toBeGreaterThan(200);
  });

  it('have at most seven collaborators, infrastructure not counted', () => {
    const large = classes.filter(
      ({ collaborators }) => collaborators.filter((type) => !infrastructure.test(type)).length > 7,
    );
    expect(large.map(({ name }) => name)).toEqual([]);
  });

  it('have no repository in a controller', () => {
    const repositories = classes
      .filter(({ isController }) => isController)
      .flatMap(({ name, collaborators }) =>
        collaborators.filter((type) => /Repository\b/.test(type)).map((type) => `${name}: ${type}`),
      );
    expect(repositories).toEqual([]);
  });

  it('carry their role in the name of the file', () => {
    expect(classes.filter(({ file }) => !role.test(file)).map(({ file }) => file)).toEqual([]);
  });
});
