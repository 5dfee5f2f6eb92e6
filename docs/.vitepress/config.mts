import { readdirSync, readFileSync } from 'node:fs';

const docs = new URL('..', import.meta.url);

/** Sections of docs/README.md, so that a page is listed in one place. */
const sections = readFileSync(new URL('README.md', docs), 'utf8').split(/^## /m).slice(1);

const sidebar = sections.map((section) => ({
  text: section.slice(0, section.indexOf('\n')),
  items: [...section.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)].map(([, text, link]) => ({
    text: text.charAt(0).toUpperCase() + text.slice(1),
    link: `/${link}`,
  })),
}));

const decisions = readdirSync(new URL('adr/', docs)).map((file) => ({
  text: file.replace(
    /^(\d+)-(.*)\.md$/,
    (_, number: string, title: string) => `${+number}. ${title.replaceAll('-', ' ')}`,
  ),
  link: `/adr/${file.replace(/\.md$/, '')}`,
}));

export default {
  title: 'Tenure',
  description: 'Self-hostable backend for in-app purchases and subscriptions',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  // Files outside docs and folders exist in the repository only, and a test of the repository checks these links.
  ignoreDeadLinks: [/^(\.\.?\/)+/, /localhost/, /\/(adr|stores|src)(\/index)?$/],
  themeConfig: {
    sidebar: [...sidebar, { text: 'Decisions', collapsed: true, items: decisions }],
    search: { provider: 'local' },
    outline: [2, 3],
  },
};
