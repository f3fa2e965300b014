// SPDX-License-Identifier: Apache-2.0

/**
 * The arrows between the rooms of the house (docs/architecture.md, section 2).
 * common <- config <- modules; a module is entered only through its index.ts; the two gateways know nothing of each other;
 * only inbox/store touches the database.
 */
const module_ = (name) => `^src/modules/${name}/`;

/** What each module may import of the others; a module that is not listed may import none. */
const MAY_IMPORT = {
  gateway: [],
  inbox: ['gateway'],
  hermes: [],
  runs: ['gateway', 'inbox', 'hermes'],
  admin: ['gateway', 'inbox', 'hermes', 'runs'],
};

/** Unit tests stand beside their source and take their tools from test/support. */
const SPEC = '\\.spec\\.ts$';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'common-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: '^src/(config|modules)/|^playground/' },
    },
    {
      name: 'config-imports-only-common',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/modules/|^playground/' },
    },
    {
      name: 'module-entered-through-index',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/([^/]+)/.+', pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index\\.ts$'] },
    },
    {
      name: 'composition-enters-through-index',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: '^src/modules/([^/]+)/.+', pathNot: '^src/modules/[^/]+/index\\.ts$' },
    },
    ...Object.entries(MAY_IMPORT).map(([from, to]) => ({
      name: `arrows-of-${from}`,
      severity: 'error',
      from: { path: module_(from) },
      to: { path: '^src/modules/', pathNot: [from, ...to].map(module_) },
    })),
    {
      name: 'unlisted-module',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: Object.keys(MAY_IMPORT).map(module_) },
      to: { path: '^src/modules/' },
    },
    {
      name: 'gateways-know-nothing-of-each-other',
      severity: 'error',
      from: { path: '^src/modules/gateway/(borgee|contract)/' },
      to: { path: '^src/modules/gateway/(borgee|contract)/', pathNot: '^src/modules/gateway/$1/' },
    },
    {
      name: 'database-only-in-inbox-store',
      severity: 'error',
      from: { path: '^(src|playground)/', pathNot: '^src/modules/inbox/store/' },
      to: { path: 'node_modules/(typeorm|better-sqlite3|@nestjs/typeorm)/' },
    },
    {
      name: 'product-imports-no-playground',
      severity: 'error',
      from: { path: '^src/', pathNot: SPEC },
      to: { path: '^(playground|test|bench)/' },
    },
    {
      name: 'playground-takes-only-the-wire',
      severity: 'error',
      from: { path: '^playground/' },
      to: { path: '^src/', pathNot: '^src/(common/|modules/gateway/borgee/wire/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
