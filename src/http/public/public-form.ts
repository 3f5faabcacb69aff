import type { ProjectId } from '../../ids.ts'
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { addressBlock } from '../../access/address.ts'
import { AppError, invalid } from '../../errors.ts'
import { type RateLimiter, rateLimited } from '../../operation/rate-limit.ts'
import { check, obj } from '../../schema.ts'
import { projects } from '../../store/tables/accounts.ts'
import { newsletter_settings } from '../../store/tables/delivery.ts'
import type { Runtime } from '../../runtime.ts'
import { translationsFor } from '../../i18n/languages.ts'
import { isJson, MAX_FIELDS, parseJson, readText } from '../core/body.ts'
import { errorResponse, type Exchange, type Handler, json } from '../core/exchange.ts'
import { html } from '../core/markup.ts'
import { publicPage } from '../core/pages.ts'

/**
 * What the forms of a project's pages are sent to: JSON from a script of the page, or the form itself from a browser.
 * Anybody may call it, so each address has a limit, bots are led into a field that people leave empty, and only pages
 * of the project's own domain may read the answer.
 */
export interface PublicForm<P extends TProperties> {
  /** The body beyond `project_id`, `website` and `return_url`. */
  properties: P
  /** The body that the fields of a form stand for. */
  bodyOf(fields: FormFields): Record<string, unknown>
  /** Status of the answer to JSON. */
  status: 200 | 202
  act(body: Static<TObject<P>>, project: FormProject, exchange: Exchange, isForm: boolean): Promise<void>
  /** Which of the words thank. */
  thanks: 'sent' | 'signed_up'
}

export interface FormProject {
  id: ProjectId
  name: string
  slug: string
  domain: string | null
  locale: string | null
  brand_color: string | null
}

const MAX_BYTES = 256 * 1024
const PREFLIGHT_SECONDS = 600

/** A route for all methods. */
export function publicForm<P extends TProperties>(
  runtime: Runtime,
  limiter: RateLimiter,
  form: PublicForm<P>,
): Handler {
  const schema = obj({
    project_id: Type.String({ minLength: 1, maxLength: 100 }),
    website: Type.Optional(Type.Unknown()),
    return_url: Type.Optional(Type.String({ maxLength: 2000 })),
    ...form.properties,
  })
  return async (exchange) => {
    const { request } = exchange
    if (request.method === 'OPTIONS') return preflight(runtime, request)
    if (request.method !== 'POST')
      throw new AppError('METHOD_NOT_ALLOWED', 'Forms are posted here.', { headers: { Allow: 'POST, OPTIONS' } })
    const isForm = !isJson(request)
    const asPage = isForm && !/^application\/json\b/.test(request.headers.get('accept') ?? '')
    const read = async () =>
      isForm ? form.bodyOf(await readFields(request)) : parseJson(await readText(request, MAX_BYTES))
    let given: unknown
    let project: FormProject | null = null
    let response: Response
    try {
      const allowance = await limiter.take(
        `public:${addressBlock(exchange.address)}`,
        runtime.config.public_requests_per_minute,
      )
      if (!allowance.allowed) throw rateLimited(allowance)
      given = await read()
      const { project_id, website, return_url, ...body } = check(schema, given) as unknown as Static<TObject<P>> & {
        project_id: string
        website?: unknown
        return_url?: string
      }
      project = await findProject(runtime, project_id)
      if (!project) throw invalid('/project_id', 'There is no such project.')
      if (!isTrapped(website)) await form.act(body as unknown as Static<TObject<P>>, project, exchange, isForm)
      response = asPage ? thank(runtime, project, return_url, form.thanks) : json(form.status, { success: true })
    } catch (error) {
      response = errorResponse(runtime, error, exchange.request_id, 'platform')
      if (asPage) {
        project ??= await projectNamedIn(runtime, given ?? (await read().catch(() => null)))
        response = refusalPage(runtime, project, response)
      }
    }
    await allowOwnPages(runtime, request, project, response)
    return response
  }
}

/** People leave it empty: they do not see it (contract-details 63). */
function isTrapped(website: unknown): boolean {
  return website !== undefined && website !== null && website !== ''
}

/** Whose form was refused before anything else was looked at: the page is in its language and colours all the same. */
async function projectNamedIn(runtime: Runtime, given: unknown): Promise<FormProject | null> {
  const project_id = typeof given === 'object' && given !== null && 'project_id' in given ? given.project_id : null
  return typeof project_id === 'string' ? findProject(runtime, project_id).catch(() => null) : null
}

async function findProject(runtime: Runtime, public_id: string): Promise<FormProject | null> {
  const [project] = await runtime.store.db
    .select({
      id: projects.id,
      name: projects.name,
      slug: projects.slug,
      domain: projects.domain,
      locale: newsletter_settings.locale,
      brand_color: newsletter_settings.brand_color,
    })
    .from(projects)
    .leftJoin(newsletter_settings, eq(newsletter_settings.project_id, projects.id))
    .where(eq(projects.public_id, public_id))
  return project ?? null
}

/** The fields of a form by name, each with all its values. */
export class FormFields {
  private readonly values = new Map<string, string[]>()

  constructor(entries: Iterable<readonly [string, string]>) {
    let count = 0
    for (const [name, value] of entries) {
      if (++count > MAX_FIELDS) throw invalid('', `A form has at most ${MAX_FIELDS} fields.`)
      const values = this.values.get(name) ?? []
      // Browsers send each line end as two characters.
      values.push(value.replace(/\r\n?/g, '\n'))
      this.values.set(name, values)
    }
  }

  names(): string[] {
    return [...this.values.keys()]
  }

  all(...names: string[]): string[] {
    return names.flatMap((name) => this.values.get(name) ?? [])
  }

  /** The last value of the first of these names that has one; an empty one is none. */
  one(...names: string[]): string | undefined {
    return names.map((name) => this.values.get(name)?.at(-1)).find((value) => value !== undefined && value !== '')
  }
}

async function readFields(request: Request): Promise<FormFields> {
  const type = request.headers.get('content-type') ?? ''
  const text = await readText(request, MAX_BYTES)
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return new FormFields(new URLSearchParams(text))
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json or a form.')
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => {
    throw invalid('', 'The body is not a form.')
  })
  return new FormFields(
    [...form].map(([name, value]) => {
      if (typeof value !== 'string') throw invalid(`/${name.slice(0, 100)}`, 'Files are not taken.')
      return [name, value] as const
    }),
  )
}

/** The texts of ids as numbers; what is none stays as it is and is refused with the rest. */
export function asIds(texts: readonly string[]): unknown[] {
  return texts.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text))
}

function thank(
  runtime: Runtime,
  project: FormProject,
  return_url: string | undefined,
  thanks: 'sent' | 'signed_up',
): Response {
  const back = return_url === undefined ? null : returnAddress(runtime, project, return_url)
  if (back !== null) return new Response(null, { status: 303, headers: { Location: back } })
  const { lang, forms: words } = translationsFor(project.locale)
  return publicPage(
    runtime,
    200,
    { ...project, lang },
    words[thanks][0],
    html`<p role="status">${words[thanks][1]}</p>`,
  )
}

/** Where a form may lead back to: the project's own domain, or its pages on ours. Anything else would lead visitors astray. */
function returnAddress(runtime: Runtime, { domain, slug }: FormProject, given: string): string | null {
  const url = URL.parse(given, domain === null ? undefined : `https://${domain}`)
  if (!url || url.username !== '' || url.password !== '') return null
  if (domain !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.host === domain) return url.href
  return url.origin === new URL(runtime.base_url).origin && `${url.pathname}/`.startsWith(`/sites/${slug}/`)
    ? url.href
    : null
}

function refusalPage(runtime: Runtime, project: FormProject | null, refusal: Response): Response {
  const { lang, forms: words } = translationsFor(project?.locale)
  const { status } = refusal
  const [title, text] = status === 429 ? words.too_many : status < 500 ? words.refused : words.failed
  const look = project ? { ...project, lang } : { name: '', lang }
  const page = publicPage(runtime, status, look, title, html`<p role="alert">${text}</p>`)
  const after = refusal.headers.get('retry-after')
  if (after) page.headers.set('Retry-After', after)
  return page
}

/** Before the project is known, a page of any project's domain may read why. */
async function allowOwnPages(
  runtime: Runtime,
  request: Request,
  project: FormProject | null,
  response: Response,
): Promise<void> {
  response.headers.append('Vary', 'Origin')
  const origin = request.headers.get('origin')
  const domain = domainIn(origin)
  if (origin === null || domain === null) return
  if (project ? project.domain === domain : await isDomain(runtime, domain))
    response.headers.set('Access-Control-Allow-Origin', origin)
}

async function preflight(runtime: Runtime, request: Request): Promise<Response> {
  const response = new Response(null, { status: 204, headers: { Allow: 'POST, OPTIONS' } })
  await allowOwnPages(runtime, request, null, response)
  if (response.headers.has('access-control-allow-origin')) {
    response.headers.set('Access-Control-Allow-Methods', 'POST')
    response.headers.set('Access-Control-Allow-Headers', 'Content-Type')
    response.headers.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS))
  }
  return response
}

/** The host of an origin on its usual port. */
function domainIn(origin: string | null): string | null {
  const url = origin === null ? null : URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin && url.port === ''
    ? url.hostname
    : null
}

async function isDomain(runtime: Runtime, domain: string): Promise<boolean> {
  const rows = await runtime.store.db.select({ id: projects.id }).from(projects).where(eq(projects.domain, domain))
  return rows.length > 0
}
