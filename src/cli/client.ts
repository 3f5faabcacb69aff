import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { version } from '../build.ts'
import { command, Failure } from './command.ts'

export const clientTypescript = command({
  name: 'client typescript',
  summary: 'Write a typed client of the API, one TypeScript file without dependencies.',
  flags: { out: { takes: 'FILE', help: 'The file to write. Default: standard output.' } },
  settings: false,
  json: false,
  async run({ flags: { out } }) {
    const source = await clientSource()
    if (out === undefined || out === '-') return { text: source.trimEnd() }
    const file = resolve(out)
    if (!existsSync(dirname(file))) throw new Failure(`The folder ${dirname(file)} does not exist.`)
    writeFileSync(file, source)
    return { text: `Wrote ${file}.` }
  },
})

/** The client's code and, below it, the types of what an access token or API key can call. */
async function clientSource(): Promise<string> {
  const [{ apiDocuments }, { clientTypes }, runtime] = await Promise.all([
    import('../http/documents.ts'),
    import('../operation/client-types.ts'),
    import('./client-runtime.ts', { with: { type: 'text' } }),
  ])
  const code = (runtime as unknown as { default: string }).default.replace(/^import type [^\n]*\n/, '')
  const about = `// A client of Masthead ${version}, written by \`masthead client typescript\`.\n`
  return `${about}${code}\n${clientTypes(apiDocuments(), 'oauth2')}`
}
