/** Which part may import which: dependencies run one way, downwards. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'libs-know-no-application',
      comment: 'Libraries are framework-free.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^src/|node_modules/(@nestjs|typeorm|express|pg)/' },
    },
    {
      name: 'libs-by-their-door',
      comment: 'A library is imported through its index.ts.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/index\\.ts$' },
    },
    {
      name: 'libs-by-their-door-from-libs',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/index\\.ts$'] },
    },
    {
      name: 'engine-is-pure',
      severity: 'error',
      from: { path: '^libs/engine/', pathNot: '\\.spec\\.ts$|^libs/engine/testing/' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'features-by-their-service',
      comment: "A feature uses another feature's service, never its repository or entity.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/[^/]+/[^/]+\\.(repository|entity)\\.ts$',
        pathNot: '^src/$1/',
        // The shape of a row may be known; its queries may not be run.
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.(d|spec)\\.ts$|(^|/)\\.[^/]+$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
};
