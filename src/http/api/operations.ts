import type { Caller } from '../../access/caller.ts'
import { authenticate } from '../../access/credentials.ts'
import { requireSession } from '../../access/session.ts'
import { appManifest } from '../../app-files.ts'
import { AppError } from '../../errors.ts'
import { operations } from '../../newsletter/operations.ts'
import type { Operation } from '../../operation/declare.ts'
import { parseBody } from '../../operation/json-body.ts'
import { type Call, runOperation } from '../../operation/run.ts'
import { projectNamed, tellCaller } from '../core/access-log.ts'
import { logCallOfApp } from '../core/app-log.ts'
import { readBytes, requireJson, requireLength } from '../core/body.ts'
import { errorResponse, json, newsletterRefusal } from '../core/exchange.ts'
import { repeatable } from '../core/large-body.ts'
import { requireOwnPage } from '../core/origin.ts'
import { API_ROOT } from '../core/paths.ts'
import { type PublicContext, route } from '../core/route.ts'
import { stillValid } from '../core/serve.ts'
import { streamed } from '../core/stream.ts'

export const NEWSLETTER_ROOT = `${API_ROOT}/newsletter` as const
const UNKNOWN_MAX_BYTES = 2 * 1024 * 1024

const byPath = new Map<string, Operation>(operations.map((operation) => [operation.path, operation]))

/** The two entry points of the newsletter operations. Each operation has its own schemas and OpenAPI description. */
export const newsletterRoutes = [
  route({
    method: 'ALL',
    path: `${NEWSLETTER_ROOT}/*`,
    summary: 'A newsletter operation, by OAuth access token or project API key.',
    auth: 'api',
    response: 'newsletter',
    refuse: newsletterRefusal,
    respond: (context) =>
      callOperation(context, () =>
        authenticate(context.store, context.request.headers.get('authorization'), context.now),
      ),
  }),
  route({
    method: 'ALL',
    path: '/project/newsletter/*',
    summary: 'A newsletter operation, by session and role. Keys and tokens are not read.',
    auth: 'api',
    response: 'newsletter',
    respond(context) {
      requireOwnPage(context, context.request)
      // A page of an older version of the application notices that it is out of date.
      context.always['X-Masthead-App'] = appManifest().made_from
      return callOperation(context, () => requireSession(context, context.request.headers.get('cookie'), context.now))
    },
  }),
]

async function callOperation(context: PublicContext, identify: () => Promise<Caller>): Promise<Response> {
  // A refusal carries the headers as well.
  const headers: Record<string, string> = {}
  try {
    const answer = await enter(context, identify, headers)
    return 'pieces' in answer
      ? await streamed(context, answer, headers)
      : repeatable(json(answer.status, answer.body, headers))
  } catch (error) {
    const response = errorResponse(context, error, context.request_id, 'newsletter')
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
}

/** Checks in the order of docs/api/conventions.md#order-of-refusals. The body is read once the caller is known. */
async function enter(context: PublicContext, identify: () => Promise<Caller>, headers: Call['headers']) {
  const { request, url, params, request_id, address, user_agent } = context
  const operation = byPath.get(`/${params['*'] ?? ''}`)
  if (operation) context.told.route = context.told.route.replace('/*', operation.path)
  if (request.method !== 'POST') {
    await identify()
    if (!operation) throw unknownOperation()
    throw new AppError('METHOD_NOT_ALLOWED', 'Newsletter operations are called with POST.', {
      headers: { Allow: 'POST' },
    })
  }
  requireLength(request, operation?.max_body ?? UNKNOWN_MAX_BYTES)
  const caller = await identify().catch((error: unknown) => {
    if (operation && !(error instanceof AppError && error.code === 'UNAUTHORIZED')) requireJson(request)
    throw error
  })
  tellCaller(context.told, caller, null)
  if (!operation) throw unknownOperation()
  requireJson(request)
  return logCallOfApp(
    context,
    context,
    { caller, route: `/newsletter${operation.path}`, shape: 'newsletter' },
    async (logged) => {
      if (url.search !== '')
        throw new AppError('VALIDATION_FAILED', 'Newsletter operations take no query: put everything into the body.', {
          details: [{ path: '', message: 'Unknown query parameters.' }],
        })
      logged.request = await readBytes(context, operation.max_body, 'known')
      const body = await parseBody(context.store, logged.request)
      const { value } = body
      if (typeof value === 'object' && value !== null && 'project_id' in value)
        tellCaller(context.told, caller, (logged.project = projectNamed(value.project_id)))
      const answer = await runOperation(context, context.limiter, operation, {
        caller,
        callerIn: (tx) => stillValid(tx, caller, context),
        body,
        idempotency_header: request.headers.get('idempotency-key'),
        request_id,
        address,
        user_agent,
        inTurn: (work) => context.reads.take(address, work),
        headers,
      })
      if ('body' in answer) logged.answer = answer.body
      return answer
    },
  )
}

function unknownOperation(): AppError {
  return new AppError('NOT_FOUND', 'There is no such operation.')
}
