/**
 * Bundles the scripts that pages load, each with its library, into one static file beside its source:
 * `bun bin/browser-scripts.ts`. The bundles are committed; test/browser-scripts.test.ts finds one that is out of date.
 */
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Sources below `static`. The bundle has the same name and the ending `.js`. */
export const BROWSER_SCRIPTS = ['portal/passkeys.ts', 'public/altcha.ts', 'docs/docs.ts']

export async function bundle(source: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(root, 'static', source)],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  return built.outputs[0]!.text()
}

export function bundlePath(source: string): string {
  return join(root, 'static', source.replace(/\.ts$/, '.js'))
}

if (import.meta.main) for (const source of BROWSER_SCRIPTS) await Bun.write(bundlePath(source), await bundle(source))
