import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
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

async function clientSource(): Promise<string> {
  const [{ apiDocuments }, { typedClient }] = await Promise.all([
    import('../http/documents.ts'),
    import('../http/docs/typed-client.ts'),
  ])
  return typedClient(apiDocuments())
}
