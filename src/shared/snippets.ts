/** One call in three languages, to be copied. It is also part of the explorer in the browser. */
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
}

/** As a command for a shell. `$KEY`, `$TOKEN`, `$SESSION`, `$CLIENT_ID` and `$CLIENT_SECRET` are the caller's own. */
export function curl({ method, url, auth, idempotency_key, body, file_type }: SnippetCall): string {
  const isForm = auth === 'client'
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`]
  if (auth === 'key') lines.push('-H "Authorization: $KEY"')
  if (auth === 'oauth2') lines.push('-H "Authorization: Bearer $TOKEN"')
  if (auth === 'session') lines.push('-b "$SESSION"')
  if (isForm) lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"')
  if (idempotency_key !== undefined)
    lines.push(
      idempotency_key === true ? '-H "Idempotency-Key: $(uuidgen)"' : `-H 'Idempotency-Key: ${idempotency_key}'`,
    )
  if (file_type) lines.push(`-H 'Content-Type: ${file_type}'`, '--data-binary @file')
  else if (body !== null && isForm)
    for (const [name, value] of Object.entries(body as object)) lines.push(`--data-urlencode '${name}=${value}'`)
  else if (body !== null) lines.push("-H 'Content-Type: application/json'", `-d '${quoted(JSON.stringify(body))}'`)
  return lines.join(' \\\n  ')
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
  const { method, url, body, file_type } = call
  const headers = headersOf(call).map(([name, value]) => `        ${JSON.stringify(name)}: ${value.py},`)
  const content = call.auth === 'client' ? 'data' : 'json'
  return [
    `import ${call.idempotency_key === true ? 'uuid, ' : ''}requests`,
    '',
    'answer = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(file_type ? ['    data=open("file", "rb"),'] : []),
    ...(body === null || file_type ? [] : [`    ${content}=${pythonValue(body)},`]),
    ')',
    'print(answer.status_code, answer.json())',
  ].join('\n')
}

interface Value {
  js: string
  py: string
}

function headersOf({ auth, idempotency_key, body, file_type }: SnippetCall): [string, Value][] {
  const same = (text: string): Value => ({ js: text, py: text })
  const headers: [string, Value][] = []
  if (auth === 'key') headers.push(['Authorization', same('KEY')])
  if (auth === 'oauth2') headers.push(['Authorization', { js: '`Bearer ${TOKEN}`', py: 'f"Bearer {TOKEN}"' }])
  if (auth === 'session') headers.push(['Cookie', same('SESSION')])
  if (auth === 'client') headers.push(['Authorization', { js: '`Basic ${CLIENT}`', py: 'f"Basic {CLIENT}"' }])
  if (idempotency_key === true)
    headers.push(['Idempotency-Key', { js: 'crypto.randomUUID()', py: 'str(uuid.uuid4())' }])
  else if (idempotency_key) headers.push(['Idempotency-Key', same(JSON.stringify(idempotency_key))])
  if (file_type) headers.push(['Content-Type', same(JSON.stringify(file_type))])
  // `requests` and URLSearchParams name the type of what they send.
  else if (body !== null && auth !== 'client') headers.push(['Content-Type', same(JSON.stringify('application/json'))])
  return headers
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
}

function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonValue(inner)}`)
    .join(', ')}}`
}
