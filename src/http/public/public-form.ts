import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { addressBlock } from '../../access/address.ts'
import { requireFreeDisk } from '../../disk.ts'
import { AppError, type ErrorCode, type Flaw, invalid } from '../../errors.ts'
import { translationsFor } from '../../i18n/languages.ts'
import type { ProjectId } from '../../ids.ts'
import { parseJson } from '../../operation/json-body.ts'
import { errorFields } from '../../log.ts'
import { lastNameIn } from '../../pointer.ts'
import { rateLimited } from '../../operation/rate-limit.ts'
import type { LoopName, Runtime } from '../../runtime.ts'
import { check, obj, ruled } from '../../schema.ts'
import { first } from '../../store/rows.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { projects } from '../../store/tables/accounts.ts'
import { requireSolution, useSolution } from '../../sites/proof-of-work.ts'
import { newsletter_settings } from '../../store/tables/delivery.ts'
import { site_settings } from '../../store/tables/sites.ts'
import { isJson, readText } from '../core/body.ts'
import { errorResponse, json } from '../core/exchange.ts'
import { html } from '../core/markup.ts'
import { type PublicContext, type Route, route } from '../core/route.ts'
import { SUCCESS, Success } from '../core/schemas.ts'
import { type FormFields, MAX_FORM_BYTES, readFormFields } from './form-fields.ts'
import { allowOwnPages, isOnDomain, preflight } from './form-origin.ts'
import { NO_BRANDING, publicPage } from './page.ts'
import { waysOn } from './ways-on.ts'

/**
 * A route that receives the forms of a project's pages: JSON from a script, or the HTML form itself. Anyone can call
 * it. Each client address is rate-limited, bots are caught by a hidden field, and only pages on the project's domain
 * may read the response.
 */
interface PublicForm<P extends TProperties> {
  path: string
  summary: string
  /** The properties of the body besides those of COMMON. */
  properties: P
  /** What the body as a whole must be like; `act` checks it. */
  rule?: object
  /** Builds the JSON body from the fields of an HTML form. */
  fromFields(fields: FormFields): Record<string, unknown>
  /** Status of the JSON response. */
  status: 200 | 202
  /** The texts of the confirmation page. */
  confirmation: 'sent' | 'signed_up'
  /** Errors of `act`, beyond those of every form. */
  errors?: readonly ErrorCode[]
  /** The loop that goes on with what was stored. */
  wakes?: LoopName
  /** Stores what was sent. */
  act(tx: Tx, body: Static<TObject<P>>, sent: SentForm): Promise<Done>
}

/** The outcome of a form. */
interface Done {
  /** Whether a confirmation message was queued. */
  confirms: boolean
  /** The page or text that the owner of the form chose, in place of the form's `return_url` and the default page. */
  after?: { text: string; redirect_url: string }
}

interface SentForm {
  project: FormProject
  context: PublicContext
  /** The HTML form itself, whose values are all texts. */
  is_form: boolean
}

export interface FormProject {
  id: ProjectId
  public_id: string
  name: string
  slug: string
  domain: string | null
  locale: string | null
  brand_color: string | null
  logo_url: string | null
  proof_of_work: boolean
}

/** The properties of every form. `website` is the hidden field. */
const COMMON = {
  project_id: Type.String({ minLength: 1, maxLength: 100 }),
  website: Type.Optional(Type.Unknown({ description: 'Leave empty. A request with a value succeeds without effect.' })),
  return_url: Type.Optional(Type.String({ maxLength: 2000 })),
  altcha: Type.Optional(
    Type.String({ maxLength: 4000, description: 'The solution of a challenge, where the project asks for it.' }),
  ),
}

/** Declares the route of a public form. */
export function formRoute<P extends TProperties>(form: PublicForm<P>): Route {
  const properties = obj<TProperties>({ ...COMMON, ...form.properties })
  const schema = form.rule ? ruled(properties, form.rule) : properties
  return route({
    method: ['POST', 'OPTIONS'],
    path: form.path,
    summary: form.summary,
    auth: 'public',
    body: schema,
    forms: 'also',
    max_body: MAX_FORM_BYTES,
    response: Success,
    status: form.status,
    errors: ['RATE_LIMITED', 'INSUFFICIENT_STORAGE', ...(form.errors ?? [])],
    audit: { ip: 'network' },
    async respond(context) {
      const { request } = context
      if (request.method === 'OPTIONS') return preflight(context, request)
      const isForm = !isJson(request)
      const wantsPage = isForm && !/^application\/json\b/.test(request.headers.get('accept') ?? '')
      const read = async () =>
        isForm ? form.fromFields(await readFormFields(context)) : parseJson(await readText(context, MAX_FORM_BYTES))
      let given: unknown
      let project: FormProject | null = null
      let response: Response
      try {
        await countRequest(context)
        await requireFreeDisk(context)
        given = await read()
        // The checked body has the common and the form's own properties; the compiler cannot split a generic type.
        const { project_id, website, return_url, altcha, ...body } = check(schema, given) as Static<
          TObject<typeof COMMON>
        >
        project = await findProject(context, project_id)
        if (!project) throw invalid('/project_id', 'There is no such project.')
        // People do not see the field `website`; a value in it comes from a bot (docs/api/consent.md#signup).
        const isPerson = website === undefined || website === null || website === ''
        const sent = { project, context, is_form: isForm }
        const after = isPerson ? await submit(form, body as Static<TObject<P>>, sent, altcha) : undefined
        response = wantsPage
          ? await confirmationPage(context, { project, return_url, confirmation: form.confirmation, after })
          : json(form.status, SUCCESS)
      } catch (error) {
        response = errorResponse(context, error, context.request_id, 'platform')
        if (wantsPage) {
          project ??= await projectNamedIn(context, given ?? (await read().catch(() => null)))
          response = refusalPage(project, response, flawedFields(error))
        }
      }
      await allowOwnPages(context, request, project, response)
      return response
    },
  })
}

/** Stores a form, once its proof of work is accepted where the project asks for one. */
async function submit<P extends TProperties>(
  form: PublicForm<P>,
  body: Static<TObject<P>>,
  sent: SentForm,
  altcha: string | undefined,
): Promise<Done['after']> {
  const { keys, now, store, wake } = sent.context
  const { public_id, proof_of_work } = sent.project
  const solved = proof_of_work ? requireSolution(keys, public_id, altcha, now) : null
  const { confirms, after } = await store.write(async (tx) => {
    if (solved) await useSolution(tx, solved)
    return form.act(tx, body, sent)
  })
  if (form.wakes) wake(form.wakes)
  if (confirms) wake('delivery')
  return after
}

/** Counts a request of a stranger for its address. RATE_LIMITED when there were too many. */
export async function countRequest({ limiter, address, config }: PublicContext): Promise<void> {
  const allowance = await limiter.take(`public:${addressBlock(address)}`, config.public_requests_per_minute)
  if (!allowance.allowed) throw rateLimited(allowance)
}

/** The project of a request that failed before its project was looked up, for the language and colors of the page. */
async function projectNamedIn(runtime: Runtime, given: unknown): Promise<FormProject | null> {
  const project_id = typeof given === 'object' && given !== null && 'project_id' in given ? given.project_id : null
  return typeof project_id === 'string' ? findProject(runtime.store, project_id).catch(() => null) : null
}

/** The project with a public id or a key, and what its pages show; null without one. */
export async function findProject({ db }: { db: Reader }, id: string | ProjectId): Promise<FormProject | null> {
  return first(
    await db
      .select({
        id: projects.id,
        public_id: projects.public_id,
        name: projects.name,
        slug: projects.slug,
        domain: projects.domain,
        locale: newsletter_settings.locale,
        brand_color: newsletter_settings.brand_color,
        logo_url: newsletter_settings.logo_url,
        proof_of_work: sql<boolean>`coalesce(${site_settings.proof_of_work}, 0)`.mapWith(Boolean),
      })
      .from(projects)
      .leftJoin(site_settings, eq(site_settings.project_id, projects.id))
      .leftJoin(newsletter_settings, eq(newsletter_settings.project_id, projects.id))
      .where(
        and(typeof id === 'string' ? eq(projects.public_id, id) : eq(projects.id, id), isNull(projects.deleted_at)),
      ),
  )
}

interface Confirmation {
  project: FormProject
  return_url: string | undefined
  confirmation: 'sent' | 'signed_up'
  after: Done['after']
}

/** Redirects to the form's return URL where that is allowed, else confirms on a page. */
async function confirmationPage(
  runtime: Runtime,
  { project, return_url, confirmation, after }: Confirmation,
): Promise<Response> {
  // The owner's own address may lead anywhere. A header takes it only as ASCII.
  const location =
    URL.parse(after?.redirect_url ?? '')?.href ??
    (return_url === undefined ? null : allowedReturnUrl(runtime, project, return_url))
  if (location) return new Response(null, { status: 303, headers: { Location: location } })
  const { lang, forms } = translationsFor(project.locale)
  const [title, text] = forms[confirmation]
  // The form is stored: a page that refused it would make the visitor send it again.
  const ways = waysOn(runtime, project).catch((error: unknown) => {
    runtime.log.warn('The links below a confirmation could not be read.', errorFields(error))
    return false as const
  })
  return publicPage({
    status: 200,
    branding: { ...project, lang },
    title,
    body: html`<p role="status" class="prose">${after?.text || text}</p>
${await ways}`,
  })
}

/** The URL when it leads to the project's domain or hosted pages, else null. An open redirect would aid phishing. */
function allowedReturnUrl(runtime: Runtime, { domain, slug }: FormProject, given: string): string | null {
  const url = URL.parse(given, domain === null ? undefined : `https://${domain}`)
  if (!url || url.username !== '' || url.password !== '') return null
  if ((url.protocol === 'https:' || url.protocol === 'http:') && isOnDomain({ domain }, url.host)) return url.href
  return url.origin === new URL(runtime.base_url).origin && `${url.pathname}/`.startsWith(`/sites/${slug}/`)
    ? url.href
    : null
}

/** The names of the fields that a visitor has to look at again, as the form calls them. */
function flawedFields(error: unknown): string[] {
  const details = error instanceof AppError && Array.isArray(error.details) ? (error.details as Flaw[]) : []
  return details.flatMap(({ path }) => (path.startsWith('/fields/') ? [lastNameIn(path)] : []))
}

/** Renders an error response as a page. */
function refusalPage(project: FormProject | null, refusal: Response, fields: readonly string[]): Response {
  const { lang, forms } = translationsFor(project?.locale)
  const { status } = refusal
  const [title, text] = status === 429 ? forms.too_many : status < 500 ? forms.refused : forms.failed
  const page = publicPage({
    status,
    branding: project ? { ...project, lang } : { ...NO_BRANDING, lang },
    title,
    body: html`<p role="alert">${text}</p>
${fields.length > 0 && html`<ul class="prose">${fields.map((name) => html`<li>${name}</li>`)}</ul>`}`,
  })
  const retry_after = refusal.headers.get('retry-after')
  if (retry_after) page.headers.set('Retry-After', retry_after)
  return page
}
