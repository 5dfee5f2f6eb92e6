/** Every operation of a document. */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: operation.operationId,
      operation,
    })),
  );
}

/**
 * The vendor's operations that have another name here.
 * @param names the vendor's operations: method and path by name
 * @throws Error if one has no operation here, or if its name is that of another one
 */
export function aliasesOf(document, names) {
  const operations = operationsOf(document);
  const idByRoute = new Map(operations.map(({ method, path, id }) => [`${method} ${path}`, id]));
  const ids = new Set(idByRoute.values());
  const missing = Object.entries(names).filter(([, route]) => !idByRoute.has(route));
  if (missing.length > 0) throw new Error(`no operation for ${missing.map(String).join('; ')}`);
  const aliases = Object.entries(names)
    .map(([alias, route]) => ({ alias, name: idByRoute.get(route) }))
    .filter(({ alias, name }) => alias !== name);
  const taken = aliases.filter(({ alias }) => ids.has(alias));
  if (taken.length > 0) {
    throw new Error(`other operations have the names ${taken.map(({ alias }) => alias).join(', ')}`);
  }
  return aliases;
}

const firstSegment = (path) => `/${path.split('/')[1]}/`;

/**
 * The POST operations with an `Idempotency-Key`: prefixes below which all have one, and other paths.
 * @throws Error if such a path has parameters, which the client would not find again
 */
export function idempotentPostsOf(document) {
  const posts = operationsOf(document)
    .filter(({ method }) => method === 'POST')
    .map(({ path, operation }) => ({
      path,
      hasKey: (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key'),
    }));
  const prefixes = [...new Set(posts.map(({ path }) => firstSegment(path)))].filter((prefix) =>
    posts.every(({ path, hasKey }) => !path.startsWith(prefix) || hasKey),
  );
  const paths = posts
    .filter(({ path, hasKey }) => hasKey && !prefixes.some((prefix) => path.startsWith(prefix)))
    .map(({ path }) => path);
  const variable = paths.filter((path) => path.includes('{'));
  if (variable.length > 0) throw new Error(`the client cannot find ${variable.join(', ')} again`);
  return { prefixes, paths };
}
