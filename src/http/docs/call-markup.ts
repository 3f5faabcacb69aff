import { html, type Markup } from '../core/markup.ts'
import { ERROR_CODES } from '../../errors.ts'
import { type Call, type CallGroup, typedName } from '../../shared/calls.ts'
import { type FieldRow, fieldRows, namesIn, type Schema, type Schemas } from '../../shared/schema-fields.ts'
import { curl, fetchCode, python, type SnippetCall, typescript } from '../../shared/snippets.ts'
import { codeBlock, codeTabs } from './code-markup.ts'
import { fieldList } from './fields-markup.ts'

/** The calls of one chapter: credentials, input, response and errors of each, with examples beside them. */
export function groupMarkup({ section, calls, schemas }: CallGroup, base_url: string): Markup {
  const used = schemasOf(calls, schemas)
  return html`${
    section === 'portal' &&
    html`<p class="lead">The pages of the portal call these for the person who is
signed in. They take no key and no token: a program uses the operations and the routes for apps.</p>`
  }
<ul class="contents">${calls.map(contentsLine)}</ul>
${calls.map((call) => callMarkup(call, schemas, base_url))}
${used.length > 0 && html`<h2 id="types">Types</h2>`}
${used.map((name) => {
  return html`<section id="type-${name}"><h3>${name}</h3>${fieldList(fieldRows(schemas[name]!))}</section>`
})}`
}

function contentsLine({ anchor, name, summary }: Call): Markup {
  return html`<li><a href="#${anchor}"><code>${name}</code></a> <span>${summary}</span></li>`
}

function callMarkup(call: Call, schemas: Schemas, base_url: string): Markup {
  const { anchor, name, method, path, summary, parameters, body, answer } = call
  return html`<section id="${anchor}" class="call"><div>
<h2><a href="#${anchor}"><code>${name}</code></a></h2>
<p>${summary}</p>
<p class="needs"><code>${method} ${path}</code> ${needs(call)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>${fieldList(parameters.map(parameterRow))}`}
${body && html`<h3>Request</h3>${rowsOrWord(body, schemas, 'A body without fields.')}`}
<h3>Answer</h3>${rowsOrWord(answer, schemas, 'See the example.')}
${
  call.refusals.length > 0 &&
  html`<details><summary>Errors</summary><ul class="errors">${call.refusals.map(
    ({ status, codes }) => html`<li><b>${status}</b> ${codes.map(codeMarkup)}</li>`,
  )}</ul></details>`
}
</div><div class="beside">${examples(call, base_url)}</div></section>`
}

const AUTH: Readonly<Record<Call['auth'], string>> = {
  key: 'A project API key, or an access token.',
  session: 'The session of a signed-in user.',
  oauth2: 'An access token.',
  client: 'The credentials of an OAuth client.',
  none: 'Open to everyone.',
}

function needs({ auth, scope, description }: Call): Markup {
  const given = description === '' && scope !== null ? `Scope ${scope}.` : description.replaceAll('`', '')
  const [before = '', after] = scope === null ? [given] : given.split(scope)
  return html`${AUTH[auth]} ${before}${
    after !== undefined && html`<a href="/docs/scopes#${scope}">${scope}</a>${after}`
  }`
}

function codeMarkup({ code, says }: Call['refusals'][number]['codes'][number]): Markup {
  if (code === '') return html`${says}`
  const isExplained = Object.hasOwn(ERROR_CODES, code) || /^[a-z_]+$/.test(code)
  return isExplained
    ? html`<a href="/docs/errors#${code}"><code>${code}</code></a> ${says} `
    : html`<code>${code}</code> ${says} `
}

function parameterRow({ name, in: place, required, schema, description }: Call['parameters'][number]): FieldRow {
  const [row] = fieldRows({ properties: { [name]: schema }, required: required ? [name] : [] })
  return { ...row!, description: `In the ${place}. ${description ?? row!.description}` }
}

function rowsOrWord(schema: Schema, schemas: Schemas, word: string): Markup {
  const [name] = schema.$ref === undefined ? [] : namesIn(schema)
  const rows = fieldRows(name ? schemas[name]! : schema)
  return rows.length > 0 ? fieldList(rows) : html`<p class="quiet">${word}</p>`
}

/** What a reader copies: the call in their language, or what a browser sends where no program can call. */
function examples(call: Call, base_url: string): Markup {
  const { name, auth, answer_example } = call
  const answer = answer_example !== null && codeBlock(JSON.stringify(answer_example, null, 2), 'json', 'Answer')
  const snippet = snippetOf(call, base_url)
  if (auth === 'session') {
    const body = snippet.body !== null && codeBlock(JSON.stringify(snippet.body, null, 2), 'json', 'Body')
    return html`${body}${answer}`
  }
  if (isForBrowsers(call)) return html`${codeBlock(addressOf(call, base_url), 'text', 'Address')}${answer}`
  const typed = typescript(snippet)
  const texts = { curl: curl(snippet), fetch: fetchCode(snippet), python: python(snippet) }
  return html`${codeTabs({ ...texts, ...(typed !== null && { typescript: typed }) }, name)}${answer}`
}

/** A page that a person's browser opens. */
function isForBrowsers({ auth, method, parameters, answer }: Call): boolean {
  return auth === 'none' && method === 'GET' && answer.type === 'string' && parameters.length > 0
}

/** The address with a value for each parameter that stands in it. */
function addressOf(call: Call, base_url: string): string {
  const query = call.parameters.filter(({ in: place, name }) => place === 'query' && !RARELY.has(name))
  const search = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  return [base_url + filledPath(call), ...search.map((pair, at) => `${at === 0 ? '?' : '&'}${pair}`)].join('\n  ')
}

/** Parameters of an authorization request that few apps send. */
const RARELY: ReadonlySet<string> = new Set(['prompt', 'response_mode', 'resource', 'request_uri'])

/** The example of a call. */
export function snippetOf(call: Call, base_url: string): SnippetCall {
  const { method, auth, needs_key, parameters, body, body_type, example } = call
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = new URLSearchParams(query.map((parameter) => [parameter.name, String(parameter.example)])).toString()
  const isFile = body_type !== null && !/json|urlencoded/.test(body_type)
  const name = isFile ? null : typedName(call)
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === place && one.required).map((one) => [one.name, one.example]),
    )
  return {
    ...{ method, auth, url: `${base_url}${filledPath(call)}${search === '' ? '' : `?${search}`}` },
    ...(needs_key ? { idempotency_key: true as const } : {}),
    body: body === null || isFile ? null : (example as Record<string, unknown>),
    file_type: isFile ? body_type : null,
    ...(name === null ? {} : { typed: { base_url, name, params: valuesIn('path'), query: valuesIn('query') } }),
  }
}

function filledPath({ path, parameters }: Call): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => {
    return encodeURIComponent(String(parameters.find((parameter) => parameter.name === key)!.example))
  })
}

/** The named schemas that these calls lead to, directly or through others, by name. */
function schemasOf(calls: readonly Call[], schemas: Schemas): string[] {
  const used = new Set(calls.flatMap(({ body, answer, parameters }) => namesIn([body, answer, parameters])))
  // A Set also gives what is added while it is read.
  for (const name of used) for (const inner of namesIn(schemas[name])) used.add(inner)
  return [...used].toSorted()
}
