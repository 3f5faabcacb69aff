import { html, type Markup } from '../core/markup.ts'
import { ERROR_CODES } from '../../errors.ts'
import type { Call, CallGroup } from '../../shared/calls.ts'
import { type FieldRow, fieldRows, namesIn, type Schema, type Schemas } from '../../shared/schema-fields.ts'
import { curl, fetchCode, python, type SnippetCall } from '../../shared/snippets.ts'

/** The calls of one group: credentials, input, response and errors of each, with examples. */
export function groupMarkup({ calls, schemas }: CallGroup, base_url: string): Markup {
  const used = schemasOf(calls, schemas)
  return html`<ul class="contents">${calls.map(
    ({ anchor, name, summary }) => html`<li><a href="#${anchor}"><code>${name}</code></a> <span>${summary}</span></li>`,
  )}</ul>
${calls.map((call) => callMarkup(call, schemas, base_url))}
${used.length > 0 && html`<h2 id="types">Types</h2>`}
${used.map((name) => html`<section id="type-${name}"><h3>${name}</h3>${table(fieldRows(schemas[name]!))}</section>`)}`
}

function callMarkup(call: Call, schemas: Schemas, base_url: string): Markup {
  const { anchor, name, method, path, summary, parameters, body, answer } = call
  return html`<section id="${anchor}">
<h2><a href="#${anchor}"><code>${name}</code></a></h2>
<p>${summary}</p>
<p class="needs"><code>${method} ${path}</code> ${needs(call)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>${table(parameters.map(parameterRow))}`}
${body && html`<h3>Request</h3>${rowsOrWord(body, schemas, 'A body without fields.')}`}
<h3>Answer</h3>${rowsOrWord(answer, schemas, 'See the example.')}
${examples(snippetOf(call, base_url), call.answer_example)}
<details><summary>Errors</summary><ul class="errors">${call.refusals.map(
    ({ status, codes }) => html`<li><b>${status}</b> ${codes.map(codeMarkup)}</li>`,
  )}</ul></details>
</section>`
}

const AUTH: Readonly<Record<Call['auth'], string>> = {
  key: 'A project API key, or an access token.',
  session: 'The session of a signed-in user.',
  oauth2: 'An access token.',
  client: 'The credentials of an OAuth client.',
  none: 'Open to everyone.',
}

function needs({ auth, scope, description }: Call): string {
  const given = description === '' && scope !== null ? `Scope ${scope}.` : description.replaceAll('`', '')
  return `${AUTH[auth]} ${given}`
}

function codeMarkup({ code, says }: Call['refusals'][number]['codes'][number]): Markup {
  if (code === '') return html`${says}`
  return Object.hasOwn(ERROR_CODES, code)
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
  return rows.length > 0 ? table(rows) : html`<p class="quiet">${word}</p>`
}

function table(rows: readonly FieldRow[]): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Fields"><table>
<thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows.map(
    ({ name, required, type, refers_to, description, limits }) => html`<tr>
<th scope="row"><code>${name}</code>${required && html` <small>required</small>`}</th>
<td>${refers_to ? html`<a href="#type-${refers_to}">${type}</a>` : type}</td>
<td>${description}${limits !== '' && html` <small>${limits}</small>`}</td></tr>`,
  )}</tbody></table></div>`
}

function examples(snippet: SnippetCall, answer: unknown): Markup {
  const shown = [
    ['curl', curl(snippet)],
    ['fetch', fetchCode(snippet)],
    ['Python', python(snippet)],
    ...(answer === null ? [] : ([['Answer', JSON.stringify(answer, null, 2)]] as const)),
  ] as const
  return html`<h3>Example</h3>${shown.map(
    ([name, text], index) => html`<details${index === 0 && html` open`}><summary>${name}</summary>
<pre><code class="language-${name}">${text}</code></pre></details>`,
  )}`
}

/** The example of a call. */
export function snippetOf(call: Call, base_url: string): SnippetCall {
  const { method, path, auth, needs_key, parameters, body, body_type, example } = call
  const value = ({ example }: Call['parameters'][number]) => String(example)
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => {
    return encodeURIComponent(value(parameters.find((parameter) => parameter.name === key)!))
  })
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = new URLSearchParams(query.map((parameter) => [parameter.name, value(parameter)])).toString()
  const isFile = body_type !== null && !/json|urlencoded/.test(body_type)
  return {
    ...{ method, auth, url: `${base_url}${filled}${search === '' ? '' : `?${search}`}` },
    ...(needs_key ? { idempotency_key: true as const } : {}),
    body: body === null || isFile ? null : (example as Record<string, unknown>),
    file_type: isFile ? body_type : null,
  }
}

/** The named schemas that these calls lead to, directly or through others, by name. */
function schemasOf(calls: readonly Call[], schemas: Schemas): string[] {
  const used = new Set(calls.flatMap(({ body, answer, parameters }) => namesIn([body, answer, parameters])))
  // A Set also gives what is added while it is read.
  for (const name of used) for (const inner of namesIn(schemas[name])) used.add(inner)
  return [...used].toSorted()
}
