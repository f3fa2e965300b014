// SPDX-License-Identifier: Apache-2.0
/**
 * Builds the chat page: `node playground/web/build.mjs [--outdir DIR]`; default `dist/playground/web`.
 *
 * DIR/index.html is served as `/`, DIR/assets/* as `/assets/*`. No network is used, and what it writes loads nothing
 * from elsewhere. All script and style stands in files of its own, so the page works under `default-src 'none'` with
 * `script-src`, `style-src`, `img-src` and `connect-src` `'self'`.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const source = dirname(fileURLToPath(import.meta.url));
const root = resolve(source, '../..');
const { values } = parseArgs({ options: { outdir: { type: 'string', default: join(root, 'dist/playground/web') } } });
const target = resolve(values.outdir);
const assets = join(target, 'assets');

/** Options that both bundles share. */
const shared = {
  bundle: true,
  minify: true,
  target: ['es2022'],
  legalComments: 'eof',
  logLevel: 'warning',
  absWorkingDir: root,
  tsconfig: join(root, 'tsconfig.json'),
};

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: { app: join(source, 'main.tsx') },
    outdir: assets,
    format: 'esm',
    sourcemap: true,
    external: ['/assets/*'],
  }),
  build({ ...shared, entryPoints: { theme: join(source, 'theme/early.ts') }, outdir: assets, format: 'iife' }),
  build({ ...shared, entryPoints: { app: join(source, 'styles/app.css') }, outdir: assets }),
  cp(join(source, 'index.html'), join(target, 'index.html')),
  cp(join(source, 'icon.svg'), join(assets, 'icon.svg')),
]);
