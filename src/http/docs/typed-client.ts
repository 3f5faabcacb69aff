import { version } from '../../build.ts'
import { type ApiDocuments, clientTypes } from '../../operation/client-types.ts'

/**
 * The typed client as one TypeScript file: its code and, below it, the types of what an access token or API key can
 * call (docs/api/conventions.md#typed-client).
 */
export async function typedClient(documents: ApiDocuments): Promise<string> {
  const runtime = (await import('./client-runtime.ts', { with: { type: 'text' } })) as unknown as { default: string }
  const code = runtime.default.replace(/^import type [^\n]*\n/, '')
  const about =
    `// A client of Masthead ${version}, without dependencies: /docs/masthead.ts of each service, and what\n` +
    '// `masthead client typescript` writes.\n'
  return `${about}${code}\n${clientTypes(documents, 'oauth2')}`
}
