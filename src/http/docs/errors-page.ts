import errors from '../../../docs/api/errors.md' with { type: 'text' }
import { AppError, ERROR_CODES, type ErrorCode } from '../../errors.ts'
import { errorEnvelope, platformError } from '../../operation/envelope.ts'
import { SENTENCES } from '../../operation/openapi-refusals.ts'
import type { CallGroup, Refusal } from '../../shared/calls.ts'
import { html, type Markup } from '../core/markup.ts'
import { codeBlock } from './code-markup.ts'
import type { Reference } from './reference.ts'

/** A code of a refusal, as its part of the page and the search show it. */
export interface ExplainedError {
  code: string
  /** What it means or where it comes, in a sentence. */
  says: string
  advice: string
}

/** The codes of docs/api/errors.md#what-to-do, then those of OAuth. */
export const EXPLAINED_ERRORS: { service: readonly ExplainedError[]; oauth: readonly ExplainedError[] } = {
  service: rowsOf('## What to do', /^\| `([A-Z_]+)` \| (.+) \|$/gm).map(([code = '', advice = '']) => ({
    ...{ code, advice },
    says: SENTENCES[code as ErrorCode],
  })),
  oauth: rowsOf('## OAuth errors', /^\| `([a-z_]+)` \| (.+) \| (.+) \|$/gm).map(([code = '', where, advice = '']) => ({
    ...{ code, advice },
    says: `From: ${where}.`,
  })),
}

function rowsOf(heading: string, row: RegExp): string[][] {
  const [, after = ''] = errors.split(`${heading}\n`)
  return [...after.split('\n## ')[0]!.matchAll(row)].map((match) => match.slice(1))
}

/** Every code of a refusal with what it means, what to do, and an answer with it. */
export function errorsMarkup({ api, platform }: Reference): Markup {
  const ofOperations = examplesIn(api)
  const ofRoutes = examplesIn(platform)
  return html`<p class="lead">Programs read the status and the code. The sentence beside them is for people and may
change. Every answer has the header <code>X-Request-ID</code>: name it when you ask the operator for help.</p>
<h2 id="shapes">Three shapes</h2>
<ul><li>Operations, below <code>/general/api/v1/newsletter</code>, answer <code>error</code> as an object with
<code>code</code>, <code>message</code>, <code>retryable</code> and, where there are some, <code>details</code>.</li>
<li>Every other route, and a refusal of the credentials, answers <code>error</code> as one of eleven words, with
<code>message</code>.</li>
<li>The <a href="#oauth">endpoints of OAuth</a> answer <code>error</code> and <code>error_description</code>.</li></ul>
<h2 id="codes">Codes</h2>
${EXPLAINED_ERRORS.service.map((one) => serviceError(one, ofOperations, ofRoutes))}
<h2 id="oauth">OAuth</h2>
<p>From the authorization endpoint they come back to the redirect URI, in its query.</p>
${EXPLAINED_ERRORS.oauth.map((one) => oauthError(one, ofRoutes))}`
}

type Examples = ReadonlyMap<string, unknown>

function serviceError({ code, says, advice }: ExplainedError, ofOperations: Examples, ofRoutes: Examples): Markup {
  const { status, retryable } = ERROR_CODES[code as ErrorCode]
  const error = new AppError(code as ErrorCode, says)
  const operation = ofOperations.get(code) ?? errorEnvelope(error, 'req_1f2e')
  const route = ofRoutes.get(code) ?? platformError(error)
  const isOneShape = JSON.stringify(operation) === JSON.stringify(route)
  return html`<section id="${code}" class="call"><div><h3><a href="#${code}"><code>${code}</code></a></h3>
<p class="needs"><b>${status}</b> ${retryable ? 'The same call may succeed later.' : 'The same call fails again.'}</p>
<p>${says}</p><p>${inCode(advice)}</p></div>
<div class="beside">${json(operation, isOneShape ? 'Answer' : 'Answer of an operation')}
${!isOneShape && json(route, 'Answer of another route')}</div></section>`
}

function oauthError({ code, says, advice }: ExplainedError, ofRoutes: Examples): Markup {
  const example = ofRoutes.get(code)
  const query = [`?error=${code}`, '&error_description=…', '&state=kX3vQm7rT0bYc1Lw', '&iss=…']
  const redirect = ['https://tides.example/callback', ...query].join('\n  ')
  return html`<section id="${code}" class="call"><div><h3><a href="#${code}"><code>${code}</code></a></h3>
<p class="needs">${inCode(says)}</p><p>${inCode(advice)}</p></div>
<div class="beside">${
    example === undefined ? codeBlock(redirect, 'text', 'The browser comes back') : json(example, 'Answer')
  }</div></section>`
}

function json(value: unknown, title: string): Markup {
  return codeBlock(JSON.stringify(value, null, 2), 'json', title)
}

/** What stands between backticks as code. */
function inCode(text: string): Markup {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** An answer for each code that these calls give. */
function examplesIn(groups: ReadonlyMap<string, CallGroup>): Examples {
  const codes = [...groups.values()].flatMap(({ calls }) =>
    calls.flatMap(({ refusals }) => refusals.flatMap((refusal): readonly Refusal[] => refusal.codes)),
  )
  return new Map(codes.filter(({ example }) => example !== undefined).map(({ code, example }) => [code, example]))
}
