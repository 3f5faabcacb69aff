import { expect, test } from 'bun:test'
import { curl, fetchCode, python, type SnippetCall, typescript } from '../../src/shared/snippets.ts'

const call = (more: Partial<SnippetCall> = {}): SnippetCall => ({
  method: 'POST',
  url: 'http://s/x',
  auth: 'key',
  body: { name: "It's", list: [1, null, true], none: undefined },
  ...more,
})

test('A command has the credentials that the call takes, and its body with quotes for a shell.', () => {
  expect(curl(call({ idempotency_key: true }))).toBe(
    `curl -X POST 'http://s/x' \\\n  -H "Authorization: $MASTHEAD_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n` +
      `  -H 'Content-Type: application/json' \\\n  -d '{"name":"It'\\''s","list":[1,null,true]}'`,
  )
  expect(curl(call({ method: 'GET', auth: 'none', body: null }))).toBe("curl 'http://s/x'")
  expect(curl(call({ auth: 'oauth2', body: null }))).toContain('-H "Authorization: Bearer $MASTHEAD_TOKEN"')
  expect(curl(call({ auth: 'session', body: null }))).toContain('-H "Cookie: $MASTHEAD_COOKIE"')
  expect(curl(call({ idempotency_key: 'k1' }))).toContain("-H 'Idempotency-Key: k1'")
  expect(curl(call({ auth: 'client', body: { a: 1, b: 'x y' } }))).toEndWith(
    `-u "$CLIENT_ID:$CLIENT_SECRET" \\\n  --data-urlencode 'a=1' \\\n  --data-urlencode 'b=x y'`,
  )
  expect(curl(call({ file_type: 'text/csv' }))).toEndWith("-H 'Content-Type: text/csv' \\\n  --data-binary @file")
})

test('JavaScript has headers only where there are some.', () => {
  expect(fetchCode(call({ method: 'GET', auth: 'none', body: null }))).toBe(
    'const answer = await fetch("http://s/x", {\n  method: "GET",\n})\nconst result = await answer.json()',
  )
  expect(fetchCode(call({ idempotency_key: true, body: { a: 1 } }))).toContain(
    '  headers: {\n    "Authorization": MASTHEAD_KEY,\n    "Idempotency-Key": crypto.randomUUID(),\n' +
      '    "Content-Type": "application/json",\n  },\n  body: JSON.stringify({\n    "a": 1\n  }),\n',
  )
  expect(fetchCode(call({ auth: 'client', body: { a: 1 } }))).toContain(
    '    "Authorization": `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`,\n  },\n  body: new URLSearchParams({',
  )
  const file = fetchCode(call({ auth: 'oauth2', file_type: 'text/csv', idempotency_key: 'k1' }))
  expect(file).toContain(
    '"Authorization": `Bearer ${MASTHEAD_TOKEN}`,\n    "Idempotency-Key": "k1",\n    "Content-Type": "text/csv"',
  )
  expect(file).toContain('  body: file,')
  expect(file).not.toContain('JSON.stringify')
  expect(fetchCode(call({ auth: 'session', body: null }))).toContain('"Cookie": MASTHEAD_COOKIE')
})

test('Python has its own names for values, and imports what it uses.', () => {
  expect(python(call({ idempotency_key: true }))).toBe(
    'import uuid, requests\n\nanswer = requests.request(\n    "POST",\n    "http://s/x",\n    headers={\n' +
      '        "Authorization": MASTHEAD_KEY,\n        "Idempotency-Key": str(uuid.uuid4()),\n    },\n' +
      '    json={"name": "It\'s", "list": [1, None, True], "none": None},\n)\n' +
      'print(answer.status_code, answer.json())',
  )
  expect(python(call({ auth: 'client', body: { a: false } }))).toContain(
    '    auth=(CLIENT_ID, CLIENT_SECRET),\n    data={"a": False},',
  )
  expect(python(call({ file_type: 'text/csv' }))).toContain('    data=open("file", "rb"),')
  expect(python(call({ method: 'GET', auth: 'none', body: null }))).not.toContain('headers')
})

test('A long body is written on several lines, for a shell and for Python.', () => {
  const long = { first: 'x'.repeat(30), second: { third: ['y'.repeat(30)] } }
  expect(curl(call({ body: long }))).toContain(`-d '{\n  "first": "x`)
  expect(python(call({ body: long }))).toContain('    json={\n        "first": "x')
})

test('TypeScript calls operations and routes with the typed client, where it has them.', () => {
  const typed = { base_url: 'http://s', name: 'things/change', params: {}, query: {} }
  expect(typescript(call({ typed, body: { name: 'It "is"', 'a-b': 1 } }))).toBe(
    "import { createClient } from './masthead.ts'\n\nconst client = createClient({\n" +
      '  base_url: "http://s",\n  token: MASTHEAD_KEY,\n})\n\n' +
      'const answer = await client.call("things/change", {\n  name: "It \\"is\\"",\n  "a-b": 1\n})',
  )
  const route = { ...typed, name: 'GET /things/:id', params: { id: 'x' } }
  const text = typescript(call({ auth: 'oauth2', body: null, typed: route }))
  expect(text).toContain('  token: MASTHEAD_TOKEN,')
  expect(text).toEndWith('client.route("GET /things/:id", {\n  params: {\n    id: "x"\n  }\n})')
  expect(typescript(call())).toBeNull()
})
