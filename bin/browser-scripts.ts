/**
 * Bundles the scripts that pages outside the web application load, each with its library, into one static file beside
 * its source. `bin/build-app.ts` makes them; they are not in git.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dir, '..')

/** Sources below `static`. The bundle has the same name and the ending `.js`. */
export const BROWSER_SCRIPTS = ['portal/passkeys.ts', 'public/altcha.ts', 'docs/docs.ts']

/** What the bundles are made from: every source in the folders of `BROWSER_SCRIPTS`. */
export function browserScriptSources(): string[] {
  return BROWSER_SCRIPTS.map((source) => join(root, 'static', dirname(source))).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
}

export function browserScriptsExist(): boolean {
  return BROWSER_SCRIPTS.every((source) => existsSync(bundlePath(source)))
}

/** Writes every bundle. A process that reads one meanwhile finds the old or the new one, whole. */
export async function buildBrowserScripts(): Promise<void> {
  await Promise.all(
    BROWSER_SCRIPTS.map(async (source) => {
      const built = await Bun.build({
        entrypoints: [join(root, 'static', source)],
        target: 'browser',
        format: 'iife',
        minify: true,
      })
      const path = bundlePath(source)
      const made = `${path}.${process.pid}.tmp`
      await Bun.write(made, built.outputs[0]!)
      renameSync(made, path)
    }),
  )
}

function bundlePath(source: string): string {
  return join(root, 'static', source.replace(/\.ts$/, '.js'))
}
