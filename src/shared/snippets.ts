/** One call in four languages, to be copied. It is also part of the explorer in the browser. */
export interface SnippetCall {
  method: string
  /** With the address of the service. */
  url: string
  auth: 'key' | 'session' | 'oauth2' | 'client' | 'none'
  /** Makes an idempotency key, or sends this one. */
  idempotency_key?: true | string
  /** Sent as JSON; as a form where the caller is a client. Null: nothing is sent. */
  body: unknown
  /** The media type of a file that is sent in place of a body. */
  file_type?: string | null
  /** How the typed client names the call; absent where it does not have it. */
  typed?: TypedCall
}

/** A call of the typed client (docs/api/conventions.md#typed-client). */
export interface TypedCall {
  base_url: string
  /** `contacts/upsert`, or `GET /general/api/v1/project/list`. */
  name: string
  /** Values of the path and of the query; of routes only. */
  params: Record<string, unknown>
  query: Record<string, unknown>
}

/**
 * As a command for a shell. `$MASTHEAD_KEY`, `$MASTHEAD_TOKEN`, `$MASTHEAD_COOKIE`, `$CLIENT_ID` and `$CLIENT_SECRET`
 * are the caller's own.
 */
export function curl({ method, url, auth, idempotency_key, body, file_type }: SnippetCall): string {
  const isForm = auth === 'client'
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`]
  if (auth === 'key') lines.push('-H "Authorization: $MASTHEAD_KEY"')
  if (auth === 'oauth2') lines.push('-H "Authorization: Bearer $MASTHEAD_TOKEN"')
  if (auth === 'session') lines.push('-H "Cookie: $MASTHEAD_COOKIE"')
  if (isForm) lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"')
  if (idempotency_key !== undefined)
    lines.push(
      idempotency_key === true ? '-H "Idempotency-Key: $(uuidgen)"' : `-H 'Idempotency-Key: ${idempotency_key}'`,
    )
  if (file_type) lines.push(`-H 'Content-Type: ${file_type}'`, '--data-binary @file')
  else if (body !== null && isForm)
    for (const [name, value] of Object.entries(body as object)) lines.push(`--data-urlencode '${name}=${value}'`)
  else if (body !== null) lines.push("-H 'Content-Type: application/json'", `-d '${quoted(shellJson(body))}'`)
  return lines.join(' \\\n  ')
}

const LONGEST_LINE = 60

/** On one line where it is short. */
function shellJson(body: unknown): string {
  const line = JSON.stringify(body)
  return line.length <= LONGEST_LINE ? line : JSON.stringify(body, null, 2)
}

function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`)
}

/** As JavaScript for servers and browsers. */
export function fetchCode(call: SnippetCall): string {
  const { method, url, body, file_type } = call
  const headers = headersOf(call).map(([name, value]) => `    ${JSON.stringify(name)}: ${value.js},`)
  return [
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(file_type ? ['  body: file,'] : []),
    ...(body === null || file_type
      ? []
      : [
          call.auth === 'client'
            ? `  body: new URLSearchParams(${indented(body)}),`
            : `  body: JSON.stringify(${indented(body)}),`,
        ]),
    '})',
    'const result = await answer.json()',
  ].join('\n')
}

/** As Python with the package `requests`. */
export function python(call: SnippetCall): string {
  const { method, url, auth, body, file_type } = call
  const headers = headersOf(call)
    .filter(([, { py }]) => py !== null)
    .map(([name, value]) => `        ${JSON.stringify(name)}: ${value.py},`)
  const content = auth === 'client' ? 'data' : 'json'
  return [
    `import ${call.idempotency_key === true ? 'uuid, ' : ''}requests`,
    '',
    'answer = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(auth === 'client' ? ['    auth=(CLIENT_ID, CLIENT_SECRET),'] : []),
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(file_type ? ['    data=open("file", "rb"),'] : []),
    ...(body === null || file_type ? [] : [`    ${content}=${pythonValue(body, '    ')},`]),
    ')',
    'print(answer.status_code, answer.json())',
  ].join('\n')
}

/** As TypeScript with the typed client; null where the client does not have the call. */
export function typescript({ auth, body, typed }: SnippetCall): string | null {
  if (!typed) return null
  const { base_url, name, params, query } = typed
  const isRoute = name.includes(' ')
  const parts = Object.entries({ params, query, body: body ?? {} }).filter(([, part]) => Object.keys(part).length > 0)
  const input = isRoute ? Object.fromEntries(parts) : body
  return [
    "import { createClient } from './masthead.ts'",
    '',
    'const client = createClient({',
    `  base_url: ${JSON.stringify(base_url)},`,
    `  token: ${auth === 'key' ? 'MASTHEAD_KEY' : 'MASTHEAD_TOKEN'},`,
    '})',
    '',
    `const answer = await client.${isRoute ? 'route' : 'call'}(${JSON.stringify(name)}, ${plainNames(input)})`,
  ].join('\n')
}

/** `py` is null where the arguments of `requests` say it. */
interface Value {
  js: string
  py: string | null
}

function headersOf({ auth, idempotency_key, body, file_type }: SnippetCall): [string, Value][] {
  const same = (text: string): Value => ({ js: text, py: text })
  const headers: [string, Value][] = []
  if (auth === 'key') headers.push(['Authorization', same('MASTHEAD_KEY')])
  if (auth === 'oauth2')
    headers.push(['Authorization', { js: '`Bearer ${MASTHEAD_TOKEN}`', py: 'f"Bearer {MASTHEAD_TOKEN}"' }])
  if (auth === 'session') headers.push(['Cookie', same('MASTHEAD_COOKIE')])
  if (auth === 'client')
    headers.push(['Authorization', { js: '`Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`', py: null }])
  if (idempotency_key === true)
    headers.push(['Idempotency-Key', { js: 'crypto.randomUUID()', py: 'str(uuid.uuid4())' }])
  else if (idempotency_key) headers.push(['Idempotency-Key', same(JSON.stringify(idempotency_key))])
  if (file_type) headers.push(['Content-Type', same(JSON.stringify(file_type))])
  // `requests` and URLSearchParams name the type of what they send.
  else if (body !== null && auth !== 'client')
    headers.push(['Content-Type', { js: JSON.stringify('application/json'), py: null }])
  return headers
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
}

/** An object as JavaScript writes it: names without quotes where they need none. */
function plainNames(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)": /gm, '$1$2: ')
}

function pythonValue(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => pythonValue(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  const line = `${open}${parts.join(', ')}${close}`
  return line.length <= LONGEST_LINE && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
