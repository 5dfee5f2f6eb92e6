import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => readFileSync(join(root, file), 'utf8');

const folders = (path) =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${path}/${entry.name}`] : [],
  );
const isArea = (folder) => readdirSync(join(root, folder)).some((file) => file.endsWith('.module.ts'));
const areas = folders('src').filter(isArea);

const places = ['docs', 'src', 'libs', 'packages', 'bench', 'test', 'docker'];
const documents = [
  ...readdirSync(root),
  ...places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true }).map((file) => `${place}/${file}`),
  ),
].filter((file) => /\.(md|txt)$/.test(file));

const withoutFences = (text) => text.replace(/^```[^]*?^```/gm, '');

/** The anchors that GitHub makes of a document's headings. */
function anchors(file) {
  const headings = withoutFences(read(file)).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function isBroken(file, target) {
  const [path, anchor] = target.split('#');
  const linked = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(join(root, linked))) return true;
  if (anchor === undefined) return false;
  return statSync(join(root, linked)).isDirectory() || !anchors(linked).has(anchor);
}

function brokenLinks(file) {
  const prose = withoutFences(read(file)).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && isBroken(file, target));
}

/** Files and folders that a document names in code: from the root, or from its own folder. */
function missingFiles(file) {
  const names = [...withoutFences(read(file)).matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(
    ([, name]) => name,
  );
  const isPath = (name) =>
    /^(src|libs|test|scripts|docker|bench|docs)\//.test(name) || /\/.*\.(ts|mjs|md)$/.test(name);
  return names
    .filter(isPath)
    .filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, dirname(file), name)));
}

const sources = ['src', 'libs'].flatMap((place) =>
  readdirSync(join(root, place), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${place}/${file}`),
);
const declared = new Set(
  sources.flatMap((file) =>
    [
      ...read(file).matchAll(
        /^(?:export )?(?:abstract )?(?:async )?(?:class|interface|type|function|const) (\w+)/gm,
      ),
    ].map(([, name]) => name),
  ),
);
/** They name classes and functions; other documents name fields and values of the API. */
const namingCode = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  ...documents.filter((file) => /^(src|libs)\/[^/]+\/README\.md$/.test(file)),
];

/** Classes, functions and files without a folder that a document names and that are nowhere. */
function missingNames(file) {
  const names = [...withoutFences(read(file)).matchAll(/`(\w+|[\w.-]+\.ts)`/g)].map(([, name]) => name);
  return names.filter((name) =>
    name.endsWith('.ts')
      ? !sources.some((source) => source.endsWith(`/${name}`))
      : /^[A-Za-z]+[a-z][A-Z]/.test(name) && !declared.has(name),
  );
}

describe('the documents', () => {
  it.each(documents)('%s links only to what is there', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  it.each(documents)('%s names only files that are there', (file) => {
    expect(missingFiles(file)).toEqual([]);
  });

  it.each(namingCode)('%s names only code that is there', (file) => {
    expect(missingNames(file)).toEqual([]);
  });

  it.each([...areas, ...folders('libs')])('%s has a README of at most ten lines', (folder) => {
    const lines = read(`${folder}/README.md`).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(150);
  });

  it.each(areas)('names each feature of %s in its README', (area) => {
    const text = read(`${area}/README.md`);
    const missing = folders(area).filter(
      (feature) => !text.includes(`\`${feature.slice(area.length + 1)}\``),
    );
    expect(missing).toEqual([]);
  });
});
