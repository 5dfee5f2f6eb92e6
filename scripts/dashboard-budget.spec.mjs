import { measure } from './dashboard-budget.mjs';

const KIB = 1024;
const page = (file, more = {}) => ({ file, isDynamicEntry: true, imports: [BASE], ...more });
const BASE = '_base-1.js';
const manifest = {
  [BASE]: {
    file: 'base.js',
    name: 'base',
    css: ['base.css'],
    imports: ['_react'],
    dynamicImports: ['_frame-2.js', 'src/account/login-page.tsx', 'src/ui/overlays/lazy/parts.ts'],
  },
  '_base-1.css': { file: 'base.css' },
  _react: { file: 'react.js' },
  _form: { file: 'form.js', imports: ['_react'] },
  '_frame-2.js': { file: 'frame.js', name: 'frame', imports: [BASE, '_page'] },
  _page: { file: 'page.js', imports: [BASE] },
  'src/ui/overlays/lazy/parts.ts': page('parts.js', { imports: ['_react'] }),
  'src/account/login-page.tsx': page('login.js', { imports: [BASE, '_form'] }),
  'src/overview/overview-page.tsx': page('overview.js', { dynamicImports: ['src/ui/chart.tsx'] }),
  'src/ui/chart.tsx': page('chart.js', { imports: ['_react'] }),
  'src/apps/apps-page.tsx': page('apps.js', {
    imports: [BASE, '_form'],
    dynamicImports: ['src/apps/dialog.tsx'],
  }),
  'src/apps/dialog.tsx': page('dialog.js', { dynamicImports: ['src/ui/overlays/lazy/parts.ts'] }),
};
const sizes = {
  'base.js': 60,
  'base.css': 10,
  'react.js': 30,
  'form.js': 15,
  'frame.js': 8,
  'page.js': 1,
  'parts.js': 50,
  'login.js': 5,
  'overview.js': 7,
  'chart.js': 20,
  'apps.js': 9,
  'dialog.js': 3,
};

describe('the budgets of the dashboard', () => {
  const rows = Object.fromEntries(
    measure(manifest, (file) => sizes[file] * KIB).map(({ what, used }) => [what, used]),
  );

  it('count what a first load imports, each file once', () => {
    expect(rows['first load of /login']).toBe(60 + 30 + 5 + 15);
    expect(rows['first load of the overview']).toBe(60 + 30 + 8 + 1 + 7);
    expect(rows['scripts of /login']).toBe(4);
    expect(rows['scripts of the overview']).toBe(5);
    expect(rows.styles).toBe(10);
  });

  it('count what a route adds to the frame, with its dialogs, and the shared ones by themselves', () => {
    expect(rows['src/apps/apps-page.tsx']).toBe(9 + 15 + 3);
    expect(rows['menus and dialogs, when idle']).toBe(50);
  });

  it('fail when a page is not in the build', () => {
    const { 'src/account/login-page.tsx': login, ...others } = manifest;
    expect(login).toBeDefined();
    expect(() => measure(others, () => 0)).toThrow('the build has no src/account/login-page.tsx');
    expect(() => measure({}, () => 0)).toThrow('the build has no base');
    expect(() => measure({ [BASE]: manifest[BASE] }, () => 0)).toThrow('the build has no frame');
  });
});
